"""The tables say what pulumi-aws says, in its names, each property with who may change it and who says so."""

import importlib
import inspect
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import pulumi_aws
import pytest

from emulated_aws import Driver
from gpulanes_lab.aws.constraints import compiled, violations
from gpulanes_lab.aws.registry import resources
from gpulanes_lab.aws.shapes import to_api
from gpulanes_lab.aws.table import Field, Resource
from gpulanes_lab.aws.values import UNKNOWN, Document

TYPES = sorted(resources())

# The AWS types that a fleet may render (docs/decisions): these and no others.
RENDERED = {
    "cloudwatch": ("EventRule", "EventTarget"),
    "ec2": (
        "Eip",
        "InternetGateway",
        "LaunchTemplate",
        "NatGateway",
        "PlacementGroup",
        "Route",
        "RouteTable",
        "RouteTableAssociation",
        "SecurityGroup",
        "Subnet",
        "Vpc",
    ),
    "eks": ("AccessEntry", "Addon", "Cluster", "NodeGroup"),
    "fsx": ("DataRepositoryAssociation", "LustreFileSystem"),
    "iam": ("InstanceProfile", "Role", "RolePolicy", "RolePolicyAttachment"),
    "s3": (
        "Bucket",
        "BucketLifecycleConfiguration",
        "BucketPolicy",
        "BucketPublicAccessBlock",
        "BucketServerSideEncryptionConfiguration",
        "BucketVersioning",
    ),
    "sqs": ("Queue", "QueuePolicy"),
    "vpc": ("SecurityGroupEgressRule", "SecurityGroupIngressRule"),
}


def _class(kind: str) -> type[Any]:
    module = kind.split(":")[1].split("/", maxsplit=1)[0]
    with warnings.catch_warnings():
        # Loading a module of pulumi_aws warns of its own deprecated classes.
        warnings.simplefilter("ignore", DeprecationWarning)
        found: type[Any] = getattr(getattr(pulumi_aws, module), kind.rsplit(":", 1)[-1])
    return found


def _properties(of: type[Any]) -> dict[str, str]:
    """Return the engine's names of a generated class's properties by their Python names."""
    found = inspect.getmembers(of, lambda member: isinstance(member, property))
    return {name: getattr(one.fget, "_pulumi_name", None) or name for name, one in found}


def _inputs(kind: str) -> dict[str, str]:
    """Return a type's inputs: the engine's names, and the annotation of each."""
    of = _class(kind)
    names = _properties(of)
    parameters = inspect.signature(of._internal_init).parameters  # noqa: SLF001
    skipped = ("self", "__self__", "resource_name", "opts", "__props__")
    return {names.get(name, name): str(one.annotation) for name, one in parameters.items() if name not in skipped}


def _misnamed(kind: str, fields: tuple[Field, ...], known: Mapping[str, str], path: str = "") -> Iterator[str]:
    """Yield the properties of a table that the generated classes do not have."""
    for one in fields:
        if one.name not in known:
            yield path + one.name
            continue
        block = re.search(r"\b(\w+)Args\b", known[one.name])
        if one.fields and block:
            module = importlib.import_module(f"pulumi_aws.{kind.split(':')[1].split('/', maxsplit=1)[0]}._inputs")
            inner = getattr(module, f"{block[1]}Args")
            annotations = {
                name: str(inspect.signature(prop.fget).return_annotation)
                for name, prop in inspect.getmembers(inner, lambda member: isinstance(member, property))
            }
            names = {engine: annotations[name] for name, engine in _properties(inner).items()}
            yield from _misnamed(kind, one.fields, names, f"{path}{one.name}.")


def _every(fields: tuple[Field, ...], path: str = "") -> Iterator[tuple[str, Field]]:
    for one in fields:
        yield path + one.name, one
        yield from _every(one.fields, f"{path}{one.name}.")


def test_exactly_the_types_that_a_fleet_may_render_are_covered() -> None:
    tokens = {
        f"aws:{module}/{name[0].lower()}{name[1:]}:{name}" for module, names in RENDERED.items() for name in names
    }

    assert tokens == set(TYPES)


@pytest.mark.parametrize("kind", TYPES)
def test_a_table_is_of_the_generated_class_of_its_type(kind: str) -> None:
    assert getattr(_class(kind), "pulumi_type", kind) == kind
    assert resources()[kind].type == kind


@pytest.mark.parametrize("kind", TYPES)
def test_every_input_is_one_of_pulumi_aws(kind: str) -> None:
    inputs = tuple(one for one in resources()[kind].fields if one.change != "computed")

    # Blocks may hold outputs of their own; those are compared with the generated input classes, which list them too.
    assert list(_misnamed(kind, inputs, _inputs(kind))) == []


@pytest.mark.parametrize("kind", TYPES)
def test_every_output_is_one_of_pulumi_aws(kind: str) -> None:
    names = set(_properties(_class(kind)).values())

    assert [one.name for one in resources()[kind].fields if one.name not in names] == []


@pytest.mark.parametrize("kind", TYPES)
def test_every_property_says_who_changes_it_and_who_says_so(kind: str) -> None:
    resource = resources()[kind]

    for path, one in _every(resource.fields):
        assert one.change in ("mutable", "immutable", "computed"), path
        assert re.search(r"[A-Z]\w+ ?\w+|terraform-provider-aws|pulumi-aws", resource.source(one)), path


def _unknown(fields: tuple[Field, ...]) -> Document:
    """Return inputs in which every property is given and no value is known."""
    given: Document = {}
    for one in fields:
        if one.change != "computed":
            inner = _unknown(one.fields)
            given[one.name] = {"block": inner, "blocks": [inner]}.get(one.kind, UNKNOWN)
    return given


@pytest.mark.parametrize("kind", [kind for kind in TYPES if resources()[kind].request])
def test_every_property_is_a_member_of_the_services_own_request(kind: str, aws: Driver) -> None:
    resource = resources()[kind]

    assert [str(one) for one in _strange_members(resource, aws)] == []


def _strange_members(resource: Resource, aws: Driver) -> Iterator[object]:
    request = to_api(resource.fields, _unknown(resource.fields), resource.spelling)
    request = resource.shape(request) if resource.shape else request
    cloud = aws.provider._cloud({})  # noqa: SLF001 - the tests' own back door
    assert resource.request is not None
    for one in violations(cloud.input_shape(*resource.request), request):
        if "is no member" in one.reason or "is required" in one.reason:
            yield one


@pytest.mark.parametrize("service", ["ec2", "eks", "events", "fsx", "iam", "s3", "sqs"])
def test_the_patterns_of_every_service_model_can_be_read(service: str, aws: Driver) -> None:
    model = aws.client(service).meta.service_model
    patterns = {model.shape_for(name).metadata.get("pattern") for name in model.shape_names} - {None}

    for pattern in patterns - {"^(?i)(true|false)$"}:  # of a shape that no covered type uses
        compiled(pattern)
