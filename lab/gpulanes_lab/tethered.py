"""Run a module as a program that ends when its parent does: `python -m gpulanes_lab.tethered MODULE [ARGUMENT…]`.

The engine's plugins are started this way, because a killed engine does not end them.
"""

import runpy
import sys

from gpulanes_lab.lifetime import exit_with_parent


def main(arguments: list[str]) -> None:
    """Start watching, then become the module."""
    exit_with_parent()
    sys.argv = arguments
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
