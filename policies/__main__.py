"""The policy pack: ``pulumi preview --policy-pack policies``."""

from pulumi_policy import PolicyPack

from gpulanes_policies.pack import NAME, policies

PolicyPack(NAME, policies())
