"""The pools alone: for people who know their node counts."""

from typing import Any, Unpack, cast, overload

import pulumi

from gpulanes.clouds.base import Scope, cloud
from gpulanes.kinds.plain import to_plain
from gpulanes.resources.options import checked_options, provider_of
from gpulanes.resources.pool_args import (
    BatchPoolArgs,
    DecidedPool,
    InferencePoolArgs,
    SystemPoolArgs,
    TrainingPoolArgs,
    decided,
)


class LanePool(pulumi.ComponentResource):
    """The nodes of one complete pool; ``GpuFleet`` makes them from its plan."""

    def __init__(self, name: str, decided: DecidedPool, opts: pulumi.ResourceOptions | None = None) -> None:
        pool = decided.pool
        props = cast("dict[str, Any]", {"pool": to_plain(pool, camel_case=True)})
        super().__init__(f"gpulanes:index:{pool.kind.capitalize()}Pool", name, props, opts)
        self.pool = pool
        self.node_selector = dict(pool.labels)
        self.tolerations = [
            {"key": taint.key, "operator": "Equal", "value": taint.value, "effect": taint.effect}
            for taint in pool.taints
        ]
        provider = provider_of("kubernetes", pulumi.ResourceOptions(parent=self))
        cloud(decided.cloud).pool(Scope(name, decided.prefix, self, provider), pool, decided.cluster)
        published = {"nodeSelector": self.node_selector, "tolerations": self.tolerations}
        self.register_outputs(published if decided.alone else {})


class InferencePool(LanePool):
    """Nodes of served models: on-demand or reserved, over zones, disturbed only when empty or in the window.

    Raises ArgumentsError with everything that is wrong with the arguments.
    """

    @overload
    def __init__(self, name: str, args: InferencePoolArgs, opts: pulumi.ResourceOptions | None = None) -> None: ...
    @overload
    def __init__(
        self, name: str, *, opts: pulumi.ResourceOptions | None = None, **kwargs: Unpack[InferencePoolArgs]
    ) -> None: ...
    def __init__(
        self,
        name: str,
        args: InferencePoolArgs | None = None,
        opts: pulumi.ResourceOptions | None = None,
        **kwargs: object,
    ) -> None:
        options = checked_options(opts, name)
        super().__init__(
            name, decided("inference", name, {**(args or {}), **kwargs}, _keys(InferencePoolArgs), options), options
        )


class TrainingPool(LanePool):
    """Nodes of training: any purchase option, one zone when nodes talk to each other, capped, gone when idle.

    Raises ArgumentsError with everything that is wrong with the arguments.
    """

    @overload
    def __init__(self, name: str, args: TrainingPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None: ...
    @overload
    def __init__(
        self, name: str, *, opts: pulumi.ResourceOptions | None = None, **kwargs: Unpack[TrainingPoolArgs]
    ) -> None: ...
    def __init__(
        self,
        name: str,
        args: TrainingPoolArgs | None = None,
        opts: pulumi.ResourceOptions | None = None,
        **kwargs: object,
    ) -> None:
        options = checked_options(opts, name)
        super().__init__(
            name, decided("training", name, {**(args or {}), **kwargs}, _keys(TrainingPoolArgs), options), options
        )


class BatchPool(LanePool):
    """Nodes of batch inference.

    Raises ArgumentsError with everything that is wrong with the arguments.
    """

    @overload
    def __init__(self, name: str, args: BatchPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None: ...
    @overload
    def __init__(
        self, name: str, *, opts: pulumi.ResourceOptions | None = None, **kwargs: Unpack[BatchPoolArgs]
    ) -> None: ...
    def __init__(
        self,
        name: str,
        args: BatchPoolArgs | None = None,
        opts: pulumi.ResourceOptions | None = None,
        **kwargs: object,
    ) -> None:
        options = checked_options(opts, name)
        super().__init__(
            name, decided("batch", name, {**(args or {}), **kwargs}, _keys(BatchPoolArgs), options), options
        )


class SystemPool(LanePool):
    """Nodes of add-ons: small, on-demand, untainted.

    Raises ArgumentsError with everything that is wrong with the arguments.
    """

    @overload
    def __init__(self, name: str, args: SystemPoolArgs, opts: pulumi.ResourceOptions | None = None) -> None: ...
    @overload
    def __init__(
        self, name: str, *, opts: pulumi.ResourceOptions | None = None, **kwargs: Unpack[SystemPoolArgs]
    ) -> None: ...
    def __init__(
        self,
        name: str,
        args: SystemPoolArgs | None = None,
        opts: pulumi.ResourceOptions | None = None,
        **kwargs: object,
    ) -> None:
        options = checked_options(opts, name)
        super().__init__(
            name, decided("system", name, {**(args or {}), **kwargs}, _keys(SystemPoolArgs), options), options
        )


def _keys(args: Any) -> frozenset[str]:  # noqa: ANN401 - a TypedDict class
    """Return the keys that a TypedDict knows."""
    return frozenset(args.__required_keys__ | args.__optional_keys__)
