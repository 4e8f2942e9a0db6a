"""`python -m gpulanes_lab`: the lab from the command line."""

import sys

from gpulanes_lab.commands import app
from gpulanes_lab.errors import LabError


def main() -> int:
    """Run one command; 1 when the lab cannot do it, 2 for wrong usage."""
    try:
        return int(app(sys.argv[1:], result_action="return_value") or 0)
    except LabError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
