"""The production fleet with more served models, as large as asked for; a Pulumi program, or called under a recorder."""

import os
from pathlib import Path

from gpulanes.fleet import load_text
from gpulanes.plan import plan
from gpulanes.plan.model import Plan
from gpulanes.resources import Connection, GpuCluster, GpuFleet, connection

ROOT = Path(os.environ.get("GPULANES_REPOSITORY", Path(__file__).parents[1]))


def with_models(models: int) -> Plan:
    """Return the plan of the production fleet with ``models`` more copies of its served model."""
    text = (ROOT / "stacks/prod.yaml").read_text(encoding="utf-8")
    start, end = text.index("  chat:\n"), text.index("  pretrain:\n")
    served = text[start:end]
    copies = "".join(served.replace("  chat:\n", f"  chat-{number}:\n") for number in range(models))
    return plan(load_text(text[:end] + copies + text[end:]))


def program(models: int) -> None:
    """A cluster and the fleet in it."""
    decided = with_models(models)

    def connect(fleet: GpuFleet) -> Connection:
        cluster = GpuCluster(
            "prod", kubernetes="1.34", zones=list(decided.zones), tags=dict(decided.tags), after=fleet.accepted
        )
        return connection("prod", cluster.ref, decided.region)

    GpuFleet("chat", connect=connect, plan=decided)


if __name__ == "__main__":
    program(int(os.environ["MODELS"]))
