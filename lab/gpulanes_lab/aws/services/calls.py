"""What every service shares: who says how a property changes, and answers that mean "not there"."""

from collections.abc import Mapping
from typing import Any

from gpulanes_lab.aws.table import Change


def sources(terraform: str, changed_by: str) -> Mapping[Change, str]:
    """Return the authorities for a type: the API call that changes it, Terraform's ForceNew, the description."""
    return {
        "mutable": changed_by,
        "immutable": f"terraform-provider-aws {terraform}: ForceNew",
        "computed": f"terraform-provider-aws {terraform}: Computed",
    }


def gone(call: Any, **arguments: Any) -> None:  # noqa: ANN401 - a client's method
    """Call a deletion; what is gone already counts as deleted."""
    from botocore.exceptions import ClientError

    try:
        call(**arguments)
    except ClientError as error:
        code = error.response["Error"]["Code"]
        if not missing(code):
            raise


def missing(code: str) -> bool:
    """Whether a service's error code says that the thing is not there."""
    return code == "404" or any(word in code for word in ("NotFound", "NoSuch", "NonExistent"))


def found(call: Any, **arguments: Any) -> dict[str, Any] | None:  # noqa: ANN401 - a client's method
    """Return a description, or None where the service says the thing is not there."""
    from botocore.exceptions import ClientError

    try:
        answer: dict[str, Any] = call(**arguments)
    except ClientError as error:
        if missing(error.response["Error"]["Code"]):
            return None
        raise
    return answer
