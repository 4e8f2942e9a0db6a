"""The queue on which Karpenter hears that EC2 is about to take a node away."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pulumi_aws import cloudwatch, sqs

from gpulanes.clouds.aws import iam
from gpulanes.clouds.base import Scope, after
from gpulanes.plan.names import physical_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pulumi

QUEUE_NAME, RULE_NAME = 80, 64

RETENTION_SECONDS = 300
"""A Spot notice is two minutes long: what has waited longer than five is no news."""

EVENTS: Mapping[str, tuple[str, str]] = {
    "health": ("aws.health", "AWS Health Event"),
    "spot": ("aws.ec2", "EC2 Spot Instance Interruption Warning"),
    "rebalance": ("aws.ec2", "EC2 Instance Rebalance Recommendation"),
    "state": ("aws.ec2", "EC2 Instance State-change Notification"),
    "reservation": ("aws.ec2", "EC2 Capacity Reservation Instance Interruption Warning"),
}
"""Rule → source and detail type of the events that Karpenter reads (its interruption controller, v1.10 and later)."""


def interruption_queue(scope: Scope, cluster: str, tags: Mapping[str, str]) -> pulumi.Output[str]:
    """Create the queue, named after the cluster, and the rules that feed it; return its name."""
    queue = sqs.Queue(
        f"{scope.name}-interruption",
        name=physical_name((cluster,), QUEUE_NAME),
        message_retention_seconds=RETENTION_SECONDS,
        sqs_managed_sse_enabled=True,
        tags=dict(tags),
        opts=scope.options(),
    )
    policy = sqs.QueuePolicy(
        f"{scope.name}-interruption",
        queue_url=queue.id,
        policy=queue.arn.apply(_policy),
        opts=scope.options(),
    )
    targets = [_rule(scope, cluster, event, queue, tags) for event in EVENTS]
    return after(queue.name, policy, *targets)


def _policy(arn: str) -> str:
    senders = {"Service": ["events.amazonaws.com", "sqs.amazonaws.com"]}
    send = {"Effect": "Allow", "Principal": senders, "Action": "sqs:SendMessage", "Resource": arn}
    return json.dumps(iam.document([send, iam.tls_only([arn], "sqs:*")]), sort_keys=True)


def _rule(scope: Scope, cluster: str, event: str, queue: sqs.Queue, tags: Mapping[str, str]) -> cloudwatch.EventTarget:
    source, detail = EVENTS[event]
    rule = cloudwatch.EventRule(
        f"{scope.name}-{event}",
        name=physical_name((f"{cluster}-{event}",), RULE_NAME),
        description=detail,
        event_pattern=json.dumps({"source": [source], "detail-type": [detail]}),
        tags=dict(tags),
        opts=scope.options(),
    )
    return cloudwatch.EventTarget(
        f"{scope.name}-{event}", rule=rule.name, arn=queue.arn, target_id="interruption-queue", opts=scope.options()
    )
