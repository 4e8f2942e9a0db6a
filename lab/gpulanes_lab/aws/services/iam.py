"""IAM: role, inline policy, attached policy, instance profile."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import unquote

from gpulanes_lab.aws.naming import identifier
from gpulanes_lab.aws.services.calls import found, gone, sources
from gpulanes_lab.aws.shapes import from_api, to_api
from gpulanes_lab.aws.table import (
    TAGS,
    Autoname,
    Check,
    Failure,
    Found,
    Refused,
    Resource,
    computed,
    immutable,
    mutable,
    switch,
)
from gpulanes_lab.aws.tagging import changes, listed, mapped
from gpulanes_lab.aws.values import Document

if TYPE_CHECKING:
    from gpulanes_lab.aws.cloud import Cloud

# Source: IAM and STS quotas, aggregate size of a role's inline policies and length of a trust policy, no white space.
_INLINE_POLICY: Final = 10240
_TRUST_POLICY: Final = 2048

_ROLE: Final = (
    immutable("name", api="RoleName", chosen=True),
    immutable("namePrefix", api=""),
    immutable("path", default="/"),
    mutable("assumeRolePolicy", "json", api="AssumeRolePolicyDocument", required=True),
    mutable("description"),
    mutable("maxSessionDuration", "integer", default=3600),
    mutable("permissionsBoundary"),
    switch("forceDetachPolicies", default=False),
    *TAGS,
    computed("arn"),
    computed("createDate", api=""),
    computed("uniqueId", api="RoleId"),
)
_ROLE_POLICY: Final = (
    immutable("name", api="PolicyName", chosen=True),
    immutable("namePrefix", api=""),
    immutable("role", api="RoleName", required=True),
    mutable("policy", "json", api="PolicyDocument", required=True),
)
_ATTACHMENT: Final = (
    immutable("role", api="RoleName", required=True),
    immutable("policyArn", required=True),
)
_PROFILE: Final = (
    immutable("name", api="InstanceProfileName", chosen=True),
    immutable("namePrefix", api=""),
    immutable("path", default="/"),
    mutable("role", api=""),
    *TAGS,
    computed("arn"),
    computed("createDate", api=""),
    computed("uniqueId", api="InstanceProfileId"),
)


def policy_failures(path: str, text: Any, most: int) -> Iterator[Failure]:  # noqa: ANN401 - a plain value
    """Yield what IAM refuses of a policy document (moto stores anything)."""
    if not isinstance(text, str):
        return
    try:
        document = json.loads(text)
    except ValueError as error:
        yield Failure(path, f"MalformedPolicyDocument: not JSON: {error}")
        return
    statements = document.get("Statement") if isinstance(document, dict) else None
    if not isinstance(statements, list | dict) or not statements:
        yield Failure(path, "MalformedPolicyDocument: a policy has a Statement")
        return
    for one in statements if isinstance(statements, list) else [statements]:
        if not isinstance(one, dict) or one.get("Effect") not in ("Allow", "Deny"):
            yield Failure(path, "MalformedPolicyDocument: every statement has an Effect of Allow or Deny")
    size = len("".join(json.dumps(document, separators=(",", ":"))))
    if size > most:
        yield Failure(path, f"LimitExceeded: {size} characters; at most {most}")


def _policy_check(name: str, most: int) -> Check:
    return lambda _cloud, inputs: policy_failures(name, inputs.get(name), most)


def _create_role(cloud: "Cloud", inputs: Document) -> str:
    cloud.client("iam").create_role(**to_api(_ROLE, inputs), Tags=listed(inputs["tagsAll"]))
    name: str = inputs["name"]
    return name


def _read_role(cloud: "Cloud", name: str, _known: Document) -> Found | None:
    answer = found(cloud.client("iam").get_role, RoleName=name)
    if answer is None:
        return None
    role = answer["Role"]
    boundary = role.get("PermissionsBoundary", {}).get("PermissionsBoundaryArn")
    outputs = from_api(_ROLE, role | {"PermissionsBoundary": boundary}) | {
        "createDate": role["CreateDate"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        "tagsAll": mapped(role.get("Tags")),
    }
    return Found(name, outputs)


def _update_role(cloud: "Cloud", name: str, old: Document, new: Document) -> None:
    iam = cloud.client("iam")
    if old.get("assumeRolePolicy") != new["assumeRolePolicy"]:
        iam.update_assume_role_policy(RoleName=name, PolicyDocument=new["assumeRolePolicy"])
    described = {"Description": new.get("description", ""), "MaxSessionDuration": new["maxSessionDuration"]}
    iam.update_role(RoleName=name, **described)
    if old.get("permissionsBoundary") != new.get("permissionsBoundary"):
        if new.get("permissionsBoundary"):
            iam.put_role_permissions_boundary(RoleName=name, PermissionsBoundary=new["permissionsBoundary"])
        else:
            iam.delete_role_permissions_boundary(RoleName=name)
    put, removed = changes(old, new)
    if put:
        iam.tag_role(RoleName=name, Tags=listed(put))
    if removed:
        iam.untag_role(RoleName=name, TagKeys=removed)


def _delete_role(cloud: "Cloud", name: str, state: Document) -> None:
    iam = cloud.client("iam")
    if state.get("forceDetachPolicies"):
        for policy in iam.list_attached_role_policies(RoleName=name)["AttachedPolicies"]:
            iam.detach_role_policy(RoleName=name, PolicyArn=policy["PolicyArn"])
        for policy in iam.list_role_policies(RoleName=name)["PolicyNames"]:
            iam.delete_role_policy(RoleName=name, PolicyName=policy)
    gone(iam.delete_role, RoleName=name)


def _put_policy(cloud: "Cloud", inputs: Document) -> str:
    cloud.client("iam").put_role_policy(**to_api(_ROLE_POLICY, inputs))
    return f"{inputs['role']}:{inputs['name']}"


def _read_policy(cloud: "Cloud", resource_id: str, _known: Document) -> Found | None:
    role, _, name = resource_id.partition(":")
    answer = found(cloud.client("iam").get_role_policy, RoleName=role, PolicyName=name)
    if answer is None:
        return None
    document = answer["PolicyDocument"]
    answer["PolicyDocument"] = unquote(document) if isinstance(document, str) else document
    return Found(resource_id, from_api(_ROLE_POLICY, answer))


def _update_policy(cloud: "Cloud", resource_id: str, _old: Document, new: Document) -> None:
    role, _, name = resource_id.partition(":")
    cloud.client("iam").put_role_policy(RoleName=role, PolicyName=name, PolicyDocument=new["policy"])


def _delete_policy(cloud: "Cloud", resource_id: str, _state: Document) -> None:
    role, _, name = resource_id.partition(":")
    gone(cloud.client("iam").delete_role_policy, RoleName=role, PolicyName=name)


def _attach(cloud: "Cloud", inputs: Document) -> str:
    cloud.client("iam").attach_role_policy(RoleName=inputs["role"], PolicyArn=inputs["policyArn"])
    return identifier(inputs["role"])


def _read_attachment(cloud: "Cloud", resource_id: str, known: Document) -> Found | None:
    """Read an attachment; an import names it ``ROLE/POLICY_ARN``."""
    role, _, arn = resource_id.partition("/")
    if not arn.startswith("arn:"):
        role, arn = known["role"], known["policyArn"]
    answer = found(cloud.client("iam").list_attached_role_policies, RoleName=role)
    if answer is None or all(one["PolicyArn"] != arn for one in answer["AttachedPolicies"]):
        return None
    return Found(resource_id if known else f"{role}-{arn}", {"role": role, "policyArn": arn})


def _detach(cloud: "Cloud", _resource_id: str, state: Document) -> None:
    gone(cloud.client("iam").detach_role_policy, RoleName=state["role"], PolicyArn=state["policyArn"])


def _never(_cloud: "Cloud", resource_id: str, _old: Document, _new: Document) -> None:
    message = f"{resource_id}: nothing of an attachment changes in place"
    raise Refused(message)


def _create_profile(cloud: "Cloud", inputs: Document) -> str:
    name: str = inputs["name"]
    request = to_api(_PROFILE, inputs)
    cloud.client("iam").create_instance_profile(**request, Tags=listed(inputs["tagsAll"]))
    _set_role(cloud, name, None, inputs.get("role"))
    return name


def _set_role(cloud: "Cloud", name: str, old: str | None, new: str | None) -> None:
    iam = cloud.client("iam")
    if old and old != new:
        gone(iam.remove_role_from_instance_profile, InstanceProfileName=name, RoleName=old)
    if new and old != new:
        iam.add_role_to_instance_profile(InstanceProfileName=name, RoleName=new)


def _read_profile(cloud: "Cloud", name: str, _known: Document) -> Found | None:
    answer = found(cloud.client("iam").get_instance_profile, InstanceProfileName=name)
    if answer is None:
        return None
    profile = answer["InstanceProfile"]
    outputs = from_api(_PROFILE, profile) | {
        "createDate": profile["CreateDate"].strftime("%Y-%m-%dT%H:%M:%SZ"),
        "role": profile["Roles"][0]["RoleName"] if profile["Roles"] else None,
        "tagsAll": mapped(profile.get("Tags")),
    }
    return Found(name, outputs)


def _update_profile(cloud: "Cloud", name: str, old: Document, new: Document) -> None:
    _set_role(cloud, name, old.get("role"), new.get("role"))
    put, removed = changes(old, new)
    iam = cloud.client("iam")
    if put:
        iam.tag_instance_profile(InstanceProfileName=name, Tags=listed(put))
    if removed:
        iam.untag_instance_profile(InstanceProfileName=name, TagKeys=removed)


def _delete_profile(cloud: "Cloud", name: str, state: Document) -> None:
    _set_role(cloud, name, state.get("role"), None)
    gone(cloud.client("iam").delete_instance_profile, InstanceProfileName=name)


RESOURCES: Final[tuple[Resource, ...]] = (
    Resource(
        type="aws:iam/role:Role",
        fields=_ROLE,
        sources=sources("aws_iam_role", "IAM UpdateRole, UpdateAssumeRolePolicy, PutRolePermissionsBoundary"),
        request=("iam", "CreateRole"),
        shape=lambda request: {"RoleName": "named"} | request,
        autoname=Autoname(field="name", limit=64, prefix="namePrefix"),
        identity=("name",),
        checks=(_policy_check("assumeRolePolicy", _TRUST_POLICY),),
        create=_create_role,
        read=_read_role,
        update=_update_role,
        delete=_delete_role,
    ),
    Resource(
        type="aws:iam/rolePolicy:RolePolicy",
        fields=_ROLE_POLICY,
        sources=sources("aws_iam_role_policy", "IAM PutRolePolicy"),
        request=("iam", "PutRolePolicy"),
        shape=lambda request: {"PolicyName": "named"} | request,
        autoname=Autoname(field="name", limit=128, prefix="namePrefix"),
        identity=("role", "name"),
        checks=(_policy_check("policy", _INLINE_POLICY),),
        create=_put_policy,
        read=_read_policy,
        update=_update_policy,
        delete=_delete_policy,
    ),
    Resource(
        type="aws:iam/rolePolicyAttachment:RolePolicyAttachment",
        fields=_ATTACHMENT,
        sources=sources("aws_iam_role_policy_attachment", ""),
        request=("iam", "AttachRolePolicy"),
        create=_attach,
        read=_read_attachment,
        update=_never,
        delete=_detach,
    ),
    Resource(
        type="aws:iam/instanceProfile:InstanceProfile",
        fields=_PROFILE,
        sources=sources("aws_iam_instance_profile", "IAM AddRoleToInstanceProfile, RemoveRoleFromInstanceProfile"),
        request=("iam", "CreateInstanceProfile"),
        shape=lambda request: {"InstanceProfileName": "named"} | request,
        autoname=Autoname(field="name", limit=128, prefix="namePrefix"),
        identity=("name",),
        create=_create_profile,
        read=_read_profile,
        update=_update_profile,
        delete=_delete_profile,
    ),
)
