"""Guardrails for training and inference lanes: rules over facts, an engine, and a Pulumi policy pack.

Only ``pack`` and ``proxies`` need Pulumi.
"""
