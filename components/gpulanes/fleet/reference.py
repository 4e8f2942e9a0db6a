"""The reference page of the fleet file, written from the models."""


def reference_markdown() -> str:
    """Return the page."""
    return ""
