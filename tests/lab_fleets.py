"""This repository's own program in the lab: copies of it with a fleet of their own."""

import json
import re
import shutil
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gpulanes_lab.environment import REGION
from gpulanes_lab.lab import Lab
from lab_projects import Project

ROOT = Path(__file__).parents[1]
PACK = ("--policy-pack", "policies")


@dataclass
class Fleet(Project):
    """A project whose stack is one of the shipped fleet files, under a name that no other test uses."""

    original: str = field(default="", repr=False)

    @property
    def file(self) -> Path:
        """The stack's fleet file."""
        return self.folder / "stacks" / f"{self.stack}.yaml"

    def edit(self, *changes: tuple[str, str]) -> None:
        """Write the original file with texts replaced, each of which must be there."""
        text = self.original
        for old, new in changes:
            assert old in text, f"{old!r} is not in the fleet file"
            text = text.replace(old, new)
        self.file.write_text(text, encoding="utf-8")

    def steps(self, *arguments: str) -> dict[str, list[str]]:
        """What a preview would do: types of resources by operation, without what stays the same."""
        digest = json.loads(self.pulumi("preview", "--json", *arguments).stdout)
        found: dict[str, list[str]] = {}
        for step in digest["steps"]:
            if step["op"] != "same":
                found.setdefault(step["op"], []).append(type_of(step["urn"]))
        return found

    def node_groups(self) -> dict[str, dict[str, Any]]:
        """The managed node groups that the emulated EKS has for this fleet, by name."""
        eks = aws(self.lab, "eks")
        mine = [name for name in eks.list_clusters()["clusters"] if name.startswith(self.stack)]
        return {
            name: eks.describe_nodegroup(clusterName=cluster, nodegroupName=name)["nodegroup"]
            for cluster in mine
            for name in eks.list_nodegroups(clusterName=cluster)["nodegroups"]
        }

    def node_pools(self) -> dict[str, dict[str, Any]]:
        """The NodePools that the API server has for this fleet, by name."""
        pools = self.lab.kube.get("/apis/karpenter.sh/v1/nodepools")["items"]
        return {p["metadata"]["name"]: p for p in pools if p["metadata"]["name"].startswith(self.stack)}


def make_fleet(lab: Lab, folder: Path, file: str) -> Fleet:
    """Copy the program and the pack, and make a stack of ``stacks/<file>.yaml``."""
    name = f"f{uuid.uuid4().hex[:7]}"
    shutil.copy(ROOT / "Pulumi.yaml", folder)
    for source in ("stacks", "policies"):
        shutil.copytree(ROOT / source, folder / source, ignore=shutil.ignore_patterns("__pycache__", "Pulumi.*.yaml"))
    text = (ROOT / "stacks" / f"{file}.yaml").read_text(encoding="utf-8")
    fleet = Fleet(lab, folder, name, original=re.sub(r"^fleet: \S+", f"fleet: {name}", text, flags=re.MULTILINE))
    fleet.edit()
    settings = f"config:\n  aws:region: {REGION}\n  gpulanes:protect: false\n"
    (folder / "stacks" / f"Pulumi.{name}.yaml").write_text(settings, encoding="utf-8")
    fleet.pulumi("stack", "init", name)
    return fleet


def aws(lab: Lab, service: str) -> Any:  # noqa: ANN401  boto3's clients have no types
    """A client of the emulated API, as a person's hand would use it."""
    import boto3  # noqa: PLC0415  only tests with a lab need it

    return boto3.client(
        service,
        region_name=REGION,
        endpoint_url=lab.aws_endpoint,
        aws_access_key_id="hand",
        aws_secret_access_key="made",  # noqa: S106  the emulator takes any
    )


def type_of(urn: str) -> str:
    """The type that a URN names, without its parents' types."""
    return urn.split("::")[2].rsplit("$", 1)[-1]


def custom(resources: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The resources that exist outside the engine: not components, not providers, not the stack."""
    return [r for r in resources if r.get("custom") and not r["type"].startswith("pulumi:providers:")]
