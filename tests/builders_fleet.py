"""A whole fleet file to change in tests, and its problems in short."""

import pytest

from gpulanes.errors import Problem, SpecError
from gpulanes.fleet import load_bytes, load_text

FLEET = """\
fleet: chat
cloud: aws
region: us-east-1
zones: [us-east-1a, us-east-1b, us-east-1c]
cluster: {kubernetes: "1.34"}
tags: {environment: prod, owner: ml-platform, cost-center: "4711"}
partition: {mode: borrow-and-return, reserve: 2 nodes}
workloads:
  chat:
    kind: inference
    service_class: latency-critical
    model: {name: llama-3.1-70b, dtype: fp8}
    demand: {requests_per_second: 5.5, peak_factor: 1.53, headroom: 25%, growth: 0.4/min}
    slo: {ttft_p99: 2s, availability: 99.9%}
    replica: {gpus: 4, requests_per_second: 1.0}
    nodes: {types: [g6e.12xlarge], provisioner: node-group, survive: 1 zone}
  pretrain:
    kind: training
    model: {parameters: 70.6B}
    cycle: {tokens: 200B, every: 30d, deadline: 14d}
    capacity: [spot, reserved]
    nodes: {types: [p5.48xlarge], provisioner: karpenter, spares: auto, reservation: {nodes: 8, id: cr-0a1b}}
    checkpoint: {interval: auto, store: hot}
  nightly-scoring: {kind: batch, borrow: inference, window: "22:00-06:00 UTC"}
storage: {hot: {kind: lustre}, serving: {kind: object}, archive: {after: 30d}}
maintenance: {inference: "Sun 03:00 +4h UTC", training: "Wed 12:00 +4h UTC"}
budget: {inference: 150000 USD/month, training: 170000 USD/month}
"""
"""The design's example: every kind of workload but system, every tier, every unit."""


def changed(*changes: tuple[str, str]) -> str:
    """Return ``FLEET`` with each text replaced; a change that changes nothing is a mistake of the test."""
    text = FLEET
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def problems(content: str | bytes) -> tuple[Problem, ...]:
    """Return the problems of content that the loader must refuse."""
    with pytest.raises(SpecError) as caught:
        load_bytes(content, "fleet.yaml") if isinstance(content, bytes) else load_text(content, "fleet.yaml")
    return caught.value.problems


def summary(content: str | bytes) -> list[tuple[int, str, str]]:
    """Return line, code and path of every problem."""
    return [(problem.line, problem.code, problem.path) for problem in problems(content)]
