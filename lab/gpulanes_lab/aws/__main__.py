"""``python -m gpulanes_lab.aws ENGINE_ADDRESS``: the emulated pulumi-resource-aws."""

import sys

from gpulanes_lab.aws.cloud import Surroundings
from gpulanes_lab.aws.table import Refused


def main(arguments: list[str]) -> int:
    """Start the plugin; 2 when it may not run here or is called wrongly."""
    engines = [one for one in arguments if not one.startswith("-")]
    if len(engines) != 1:
        sys.stderr.write("usage: pulumi-resource-aws ENGINE_ADDRESS (the Pulumi engine starts it)\n")
        return 2
    try:
        around = Surroundings.read()
    except Refused as refusal:
        sys.stderr.write(f"pulumi-resource-aws (emulated): {refusal}\n")
        return 2
    from gpulanes_lab.aws.provider import EmulatedAws
    from gpulanes_lab.aws.server import run

    run(engines[0], EmulatedAws(around))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
