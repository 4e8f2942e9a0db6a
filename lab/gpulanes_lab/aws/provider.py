"""The provider: the engine's requests, answered from a type's table and the emulated cloud."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from pulumi.provider.experimental.provider import (
    CheckFailure,
    CheckRequest,
    CheckResponse,
    ConfigureRequest,
    ConfigureResponse,
    CreateRequest,
    CreateResponse,
    DeleteRequest,
    DiffRequest,
    DiffResponse,
    InvokeRequest,
    InvokeResponse,
    PropertyDiff,
    PropertyDiffKind,
    Provider,
    ReadRequest,
    ReadResponse,
    UpdateRequest,
    UpdateResponse,
)

from gpulanes_lab.aws import checking, configuration, invokes
from gpulanes_lab.aws.cloud import Cloud, Surroundings
from gpulanes_lab.aws.diffing import Difference, deletes_first, differences
from gpulanes_lab.aws.naming import DEFAULTS, with_name
from gpulanes_lab.aws.planning import inputs_of, planned, settled
from gpulanes_lab.aws.registry import resource_for
from gpulanes_lab.aws.table import Failure, Found, Refused, Resource
from gpulanes_lab.aws.tagging import merged, own
from gpulanes_lab.aws.values import UNKNOWN, Document, plain_map, wrap_map

_KINDS: Final = {
    ("add", False): PropertyDiffKind.ADD,
    ("add", True): PropertyDiffKind.ADD_REPLACE,
    ("delete", False): PropertyDiffKind.DELETE,
    ("delete", True): PropertyDiffKind.DELETE_REPLACE,
    ("update", False): PropertyDiffKind.UPDATE,
    ("update", True): PropertyDiffKind.UPDATE_REPLACE,
}


class EmulatedAws(Provider):
    """pulumi-aws for the types a fleet renders, over moto.

    Requests are served one at a time: everything behind them is a call on this machine, and one order of
    calls makes every run the same.
    """

    def __init__(self, around: Surroundings) -> None:
        self._around = around
        self._settings = configuration.Configuration(region=around.region)
        self._clouds: dict[str, Cloud] = {}

    async def check_config(self, request: CheckRequest) -> CheckResponse:
        """Refuse settings that the emulator does not take or that would leave this machine."""
        found = configuration.failures(plain_map(request.new_inputs), self._around.region)
        return CheckResponse(inputs=request.new_inputs, failures=_failures(found))

    async def diff_config(self, request: DiffRequest) -> DiffResponse:
        """Say whether settings changed; none replaces the provider (a resource checks its own region)."""
        return DiffResponse(changes=plain_map(request.old_state) != plain_map(request.new_inputs))

    async def configure(self, request: ConfigureRequest) -> ConfigureResponse:
        """Take the settings.

        Raises:
            Refused: when the account is not one of the allowed.
        """
        self._settings = configuration.configuration(plain_map(request.args), self._around.region)
        self._clouds = {}
        allowed = self._settings.allowed_accounts
        if allowed and self._cloud({}).account not in allowed:
            message = f"account {self._cloud({}).account} is none of allowedAccountIds {', '.join(allowed)}"
            raise Refused(message)
        return ConfigureResponse(supports_preview=True)

    async def invoke(self, request: InvokeRequest) -> InvokeResponse:
        """Answer a function."""
        with _explained(request.tok):
            answer = invokes.invoke(self._cloud({}), request.tok, plain_map(request.args))
        return InvokeResponse(return_value=wrap_map(answer))

    async def check(self, request: CheckRequest) -> CheckResponse:
        """Complete a resource's inputs and say what the service would refuse of them."""
        resource = resource_for(request.type)
        old, new = plain_map(request.old_inputs), plain_map(request.new_inputs)
        inputs = checking.completed(resource, request.name, request.random_seed or b"", new, old)
        if isinstance(inputs, Failure):
            return CheckResponse(inputs=request.new_inputs, failures=_failures([inputs]))
        found = checking.failures(resource, self._cloud(inputs), inputs)
        return CheckResponse(inputs=wrap_map(inputs), failures=_failures(found))

    async def diff(self, request: DiffRequest) -> DiffResponse:
        """Say which properties change, and which of them replace the resource."""
        resource = resource_for(request.type)
        old, new = plain_map(request.old_state), plain_map(request.new_inputs)
        found = differences(resource, old, new, request.ignore_changes) + self._elsewhere(resource, old, new)
        found += self._default_tags_changed(resource, old, new, found)
        replaces = [one.path for one in found if one.replaces]
        return DiffResponse(
            changes=bool(found),
            replaces=replaces,
            delete_before_replace=bool(replaces) and deletes_first(resource, old, new),
            diffs=[one.path for one in found],
            detailed_diff={one.path: PropertyDiff(_KINDS[one.kind, one.replaces], input_diff=False) for one in found},
        )

    async def create(self, request: CreateRequest) -> CreateResponse:
        """Create a resource, or say what a preview can know of it."""
        resource = resource_for(request.type)
        inputs = plain_map(request.properties)
        cloud = self._cloud(inputs)
        if request.preview:
            return CreateResponse(properties=wrap_map(self._promised(resource, cloud, inputs)))
        with _explained(f"creating {request.type} ({request.name})"):
            new_id = resource.create(cloud, self._tagged(resource, with_name(resource.autoname, inputs)))
            found = self._described(resource, cloud, new_id, inputs)
        if found is None:
            message = f"{request.type} ({request.name}): {new_id} is gone right after it was created"
            raise Refused(message)
        return CreateResponse(resource_id=found.id, properties=wrap_map(found.outputs))

    async def read(self, request: ReadRequest) -> ReadResponse:
        """Describe a resource as it is: for a refresh, or by its id alone for an import."""
        resource = resource_for(request.type)
        said, state = plain_map(request.inputs), plain_map(request.properties)
        cloud = self._cloud(state or said)
        with _explained(f"reading {request.type} ({request.resource_id})"):
            found = self._described(resource, cloud, request.resource_id, said or state, state)
        if found is None:
            return ReadResponse()
        inputs = inputs_of(resource, found.outputs, said)
        return ReadResponse(found.id, wrap_map(found.outputs), wrap_map(inputs))

    async def update(self, request: UpdateRequest) -> UpdateResponse:
        """Change a resource in place, or say what a preview can know of the change."""
        resource = resource_for(request.type)
        old, new = plain_map(request.olds), plain_map(request.news)
        cloud = self._cloud(new, old)
        if request.preview:
            return UpdateResponse(properties=wrap_map(self._promised(resource, cloud, new, old)))
        with _explained(f"updating {request.type} ({request.resource_id})"):
            resource.update(cloud, request.resource_id, old, self._tagged(resource, new))
            found = self._described(resource, cloud, request.resource_id, new, old)
        if found is None:
            message = f"{request.type} ({request.resource_id}) is gone"
            raise Refused(message)
        return UpdateResponse(properties=wrap_map(found.outputs))

    async def delete(self, request: DeleteRequest) -> None:
        """Delete a resource; one that is gone already counts as deleted."""
        state = plain_map(request.properties)
        with _explained(f"deleting {request.type} ({request.resource_id})"):
            resource_for(request.type).delete(self._cloud(state), request.resource_id, state)

    def _cloud(self, *documents: Document) -> Cloud:
        named = [document["region"] for document in documents if isinstance(document.get("region"), str)]
        region = named[0] if named else self._settings.region
        if region not in self._clouds:
            self._clouds[region] = Cloud(self._around, region, self._settings.default_tags)
        return self._clouds[region]

    def _tagged(self, resource: Resource, inputs: Document) -> Document:
        """Add what the resource will carry: its own tags over the provider's."""
        if not resource.taggable:
            return inputs
        return inputs | {"tagsAll": merged(self._settings.default_tags, inputs.get("tags"))}

    def _promised(self, resource: Resource, cloud: Cloud, inputs: Document, old: Document | None = None) -> Document:
        promise = planned(resource, inputs, old)
        if resource.taggable:
            promise["tagsAll"] = merged(self._settings.default_tags, inputs.get("tags"))
        if resource.regional:
            promise["region"] = cloud.region
        return promise

    def _described(
        self,
        resource: Resource,
        cloud: Cloud,
        resource_id: str,
        said: Document,
        state: Document | None = None,
    ) -> Found | None:
        found = resource.read(cloud, resource_id, {**(state or {}), **said})
        if found is None:
            return None
        outputs = {name: value for name, value in found.outputs.items() if value is not None}
        if resource.taggable:
            every = outputs.get("tagsAll") or {}
            outputs |= {"tagsAll": every, "tags": own(every, self._settings.default_tags, said.get("tags"))}
        if resource.regional:
            outputs["region"] = cloud.region
        outputs = settled(resource.fields, outputs, said)
        if DEFAULTS in said:
            outputs[DEFAULTS] = said[DEFAULTS]
        return Found(found.id, outputs)

    def _elsewhere(self, resource: Resource, old: Document, new: Document) -> list[Difference]:
        """Replace a resource whose region was the provider's and whose provider moved."""
        wanted = new.get("region") or self._settings.region
        if not resource.regional or "region" in new or old.get("region") in (None, wanted):
            return []
        return [Difference("region", "update", replaces=True)]

    def _default_tags_changed(
        self,
        resource: Resource,
        old: Document,
        new: Document,
        found: list[Difference],
    ) -> list[Difference]:
        """Update a resource whose merged tags changed although its own did not."""
        if not resource.taggable or any(one.path.startswith("tags") for one in found):
            return []
        every = merged(self._settings.default_tags, new.get("tags"))
        if every is UNKNOWN or "tagsAll" not in old or every == old["tagsAll"]:
            return []
        return [Difference("tagsAll", "update", replaces=False)]


def _failures(found: list[Failure]) -> list[CheckFailure]:
    return [CheckFailure(property=one.path, reason=one.reason) for one in found]


@contextmanager
def _explained(doing: str) -> Iterator[None]:
    """Turn the service's refusal into a message that names the resource, the code and the reason."""
    from botocore.exceptions import ClientError, ParamValidationError

    try:
        yield
    except ClientError as error:
        detail = error.response["Error"]
        message = f"{doing}: {error.operation_name}: {detail.get('Code')}: {detail.get('Message')}"
        raise Refused(message) from error
    except ParamValidationError as error:
        message = f"{doing}: {error}"
        raise Refused(message) from error
    except Refused as error:
        message = f"{doing}: {error}"
        raise Refused(message) from error
