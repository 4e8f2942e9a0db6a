"""One PriorityClass in the lab's cluster; variables make it fail in the ways a program can."""

import os
from pathlib import Path

import pulumi
import pulumi_kubernetes as kubernetes

NAME = f"tiny-{pulumi.get_stack()}"

if os.environ.get("TINY_FAILS"):
    message = "this fleet cannot be planned"
    raise pulumi.RunError(message)
if os.environ.get("TINY_CRASHES"):
    message = "a bug"
    raise ValueError(message)

cluster = kubernetes.Provider("lab", kubeconfig=Path(os.environ["KUBECONFIG"]).read_text(encoding="utf-8"))
kubernetes.scheduling.v1.PriorityClass(
    "tiny",
    metadata={"name": NAME},
    value=int(os.environ.get("TINY_VALUE", "1000")),
    opts=pulumi.ResourceOptions(provider=cluster, replace_on_changes=["value"], delete_before_replace=True),
)
pulumi.export("name", NAME)
