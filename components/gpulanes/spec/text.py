"""Text fields: a pattern for machines, what is allowed for people, and the ready-made kinds of name.

Names and tag values become cloud resource names, DNS labels, AWS tags, GCP labels and Kubernetes
labels; a value is accepted when it is legal as each of those it becomes.
"""

import re
from dataclasses import dataclass
from typing import Annotated

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema


@dataclass(frozen=True, slots=True)
class Text:
    """Metadata of a text field: ``pattern`` (no anchors; common to Python and ECMAScript), and in words."""

    pattern: str
    allowed: str

    def check(self, text: str) -> str:
        """Return the text when it matches as a whole; raises ValueError."""
        if re.fullmatch(self.pattern, text) is None:
            message = f"expected {self.allowed}"
            raise ValueError(message)
        return text

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check after the type."""
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Publish the pattern."""
        return {**handler(schema), "pattern": f"^(?:{self.pattern})$"}


@dataclass(frozen=True, slots=True)
class Unique:
    """Metadata of a list field: no entry twice."""

    def check(self, items: list[str]) -> list[str]:
        """Return the list when no entry repeats; raises DuplicateEntryError."""
        seen: set[str] = set()
        for item in items:
            if item in seen:
                raise DuplicateEntryError(item)
            seen.add(item)
        return items

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Check after the type."""
        return core_schema.no_info_after_validator_function(self.check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """Publish the rule."""
        return {**handler(schema), "uniqueItems": True}


class DuplicateEntryError(ValueError):
    """A list names something twice."""

    def __init__(self, entry: str) -> None:
        self.entry = entry
        super().__init__(f"expected each entry once, {entry} comes twice")


_LABEL_VALUE = r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?"
_LABEL_KEY = r"(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?/)?" + _LABEL_VALUE

Name = Annotated[
    str,
    Text(
        r"[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?",
        "a name of 1 to 40 lowercase letters, digits and hyphens, starting with a letter, not ending in a hyphen",
    ),
]
REGION = r"[a-z]{2}(?:-[a-z]{2,12}){1,3}-[0-9]{1,2}"

Region = Annotated[str, Text(REGION, "a region name, such as us-east-1")]
Zone = Annotated[str, Text(REGION + "[a-z]", "an availability zone, such as us-east-1a")]
KubernetesVersion = Annotated[str, Text(r"1\.[0-9]{2}", 'a Kubernetes minor version as text in quotes, such as "1.34"')]
ClusterName = Annotated[
    str, Text(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}", "the name of an EKS cluster: 1 to 100 letters, digits, _ and -")
]
InstanceType = Annotated[
    str, Text(r"[a-z][a-z0-9-]{0,30}\.[a-z0-9-]{1,30}", "an instance type name, such as p5.48xlarge")
]
ModelName = Annotated[
    str,
    Text(
        r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}(?:/[A-Za-z0-9][A-Za-z0-9._-]{0,95})?",
        "a model's name, such as llama-3.1-70b",
    ),
]
Survive = Annotated[
    str, Text(r"1 zone|[2-5] zones|1 node|[2-9][0-9]? nodes|nothing", "1 zone, 2 zones, 1 node, 2 nodes or nothing")
]
Reserve = Annotated[
    str,
    Text(
        r"1 node|1 gpu|[1-9][0-9]{0,4} (?:nodes|gpus)",
        "a count of nodes or gpus, such as 2 nodes or 16 gpus",
    ),
]
ReservationId = Annotated[
    str, Text(r"cr-[0-9a-f]{1,32}", "the id of a capacity reservation, such as cr-0123456789abcdef0")
]
TagKey = Annotated[
    str,
    Text(
        r"(?!workload$)[a-z][a-z0-9_-]{0,62}",
        "a tag key of 1 to 63 lowercase letters, digits, _ and -, starting with a letter; workload is the lane's own",
    ),
]
TagValue = Annotated[
    str,
    Text(
        r"[a-z0-9](?:[a-z0-9_-]{0,61}[a-z0-9])?",
        "a value legal as AWS tag, GCP label and Kubernetes label: 1 to 63 lowercase letters, digits, _ and -, "
        "with a letter or digit at both ends",
    ),
]
AwsTagKey = Annotated[
    str,
    Text(r"(?![aA][wW][sS]:)[A-Za-z0-9 _.:/=+@-]{1,128}", "an AWS tag key of 1 to 128 characters, not starting aws:"),
]
AwsTagValue = Annotated[str, Text(r"[A-Za-z0-9 _.:/=+@-]{0,256}", "an AWS tag value of at most 256 characters")]
LabelKey = Annotated[str, Text(_LABEL_KEY, "a Kubernetes label key, such as workload or example.com/team")]
LabelValue = Annotated[str, Text(f"(?:{_LABEL_VALUE})?", "a Kubernetes label value of at most 63 characters")]
AmiType = Annotated[str, Text(r"[A-Za-z0-9_.@-]{1,64}", "an AMI type, such as AL2023_x86_64_NVIDIA")]
GoDuration = Annotated[str, Text(r"(?:[0-9]{1,6}[smh]){1,3}|Never", "a duration such as 60m or 164h, or Never")]
