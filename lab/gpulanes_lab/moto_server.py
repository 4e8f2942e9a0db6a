"""The emulated AWS API: a moto server on loopback, `python -m gpulanes_lab.moto_server PORT`."""

import logging
import sys

from gpulanes_lab.aws import moto_settings
from gpulanes_lab.controlplane.servers import LOOPBACK


def main(port: str) -> None:
    """Serve until ended."""
    moto_settings.apply()  # read when moto is imported
    from moto.server import main as serve

    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    serve(["--host", LOOPBACK, "--port", port])


if __name__ == "__main__":
    main(sys.argv[1])
