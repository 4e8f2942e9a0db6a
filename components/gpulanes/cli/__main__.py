"""The entry point: runs a command and turns what went wrong into an exit code and readable words."""

import os
import sys
from collections.abc import Sequence

BAD_INPUT = 2
INTERRUPTED = 130  # 128 + SIGINT, as shells report it
BROKEN_PIPE = 141  # 128 + SIGPIPE


def run(words: Sequence[str]) -> int:
    """Run one command; returns its exit code. Raises nothing that a user can cause, but broken pipes and Ctrl-C."""
    from cyclopts import CycloptsError

    from gpulanes.cli.app import build, usage_error
    from gpulanes.cli.reading import STDIN
    from gpulanes.errors import GpulanesError

    try:
        return build()([STDIN if word == "-" else word for word in words]) or 0
    except CycloptsError as error:
        sys.stderr.write(usage_error(error) + "\n")
        return BAD_INPUT
    except GpulanesError as error:
        from gpulanes.cli.problems import print_problems

        print_problems(error.problems)
        return BAD_INPUT


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code: 0 clean, 1 findings, 2 usage or bad input."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr] # a terminal without the arrow still gets the text
    try:
        code = run(sys.argv[1:] if words is None else words)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader left; the exit must not complain
        return BROKEN_PIPE
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED
    return code


if __name__ == "__main__":
    sys.exit(main())
