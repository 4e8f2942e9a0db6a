"""Nothing in a lab can lead to a real account: not the environment, not a plugin, not the `aws` command."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gpulanes_lab.eks_token import answer
from gpulanes_lab.environment import lab_environment
from gpulanes_lab.errors import LabError
from gpulanes_lab.lab import Lab
from lab_projects import Project

pytestmark = pytest.mark.lab

DANGEROUS = {
    "AWS_PROFILE": "production",
    "AWS_SESSION_TOKEN": "real",
    "AWS_ENDPOINT_URL_EC2": "https://ec2.example.com",
    "AWS_WEB_IDENTITY_TOKEN_FILE": "/var/run/token",
    "KUBECONFIG": "/h/.kube/config",
    "PULUMI_ACCESS_TOKEN": "pul-real",
    "PULUMI_STACK": "prod",
    "PULUMI_DEBUG_PROVIDERS": "aws:1234",
    "https_proxy": "http://proxy.example.com",
    "HTTP_PROXY": "http://proxy.example.com",
    "GOOGLE_APPLICATION_CREDENTIALS": "/h/key.json",
}


def test_the_environment_keeps_nothing_that_leads_outside(lab: Lab) -> None:
    environ = lab_environment(lab.home, lab.record, DANGEROUS | {"PATH": "/usr/bin", "LANG": "C.UTF-8"})
    assert not {name: environ[name] for name in DANGEROUS if environ.get(name) == DANGEROUS[name]}
    assert environ["LANG"] == "C.UTF-8"
    assert environ["PATH"].startswith(str(lab.home.bin))
    assert [name for name, value in environ.items() if "example.com" in value] == []
    for file in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE", "KUBECONFIG"):
        assert Path(environ[file]).is_relative_to(lab.home.directory)


def test_a_project_that_names_its_own_aws_plugin_is_refused(lab: Lab, tmp_path: Path) -> None:
    (tmp_path / "Pulumi.yaml").write_text(
        "name: x\nruntime: python\nplugins: {providers: [{name: aws, path: ./bin}]}\n", encoding="utf-8"
    )
    (tmp_path / "deeper").mkdir()
    with pytest.raises(LabError, match=r"names a plugin for aws at \./bin; remove it"):
        lab.run("pulumi", "preview", cwd=tmp_path / "deeper")


def test_a_newer_plugin_beside_ours_is_refused(lab: Lab, tmp_path: Path) -> None:
    foreign = lab.home.pulumi_home / "plugins" / "resource-aws-v7.99.0"
    foreign.mkdir()
    try:
        with pytest.raises(LabError, match=r"resource-aws-v7\.99\.0 is not the lab's plugin"):
            lab.run("pulumi", "version", cwd=tmp_path)
    finally:
        foreign.rmdir()


@pytest.mark.parametrize(
    "extra", [{"PULUMI_HOME": "/h/.pulumi"}, {"PULUMI_IGNORE_AMBIENT_PLUGINS": ""}, {"PULUMI_DEBUG_PROVIDERS": "aws:1"}]
)
def test_an_environment_that_opens_another_way_is_refused(lab: Lab, tmp_path: Path, extra: dict[str, str]) -> None:
    with pytest.raises(LabError, match="the lab refuses to run"):
        lab.run("pulumi", "version", cwd=tmp_path, extra=extra)


def test_the_engine_never_starts_a_decoy_plugin_from_path(
    lab: Lab, tiny: Callable[[str], Project], tmp_path: Path
) -> None:
    called = tmp_path / "called"
    decoys = tmp_path / "decoys"
    decoys.mkdir()
    for name in ("pulumi-resource-aws", "pulumi-resource-kubernetes", "pulumi-language-python"):
        (decoys / name).write_text(f"#!/bin/sh\necho $0 >> {called}\nexit 1\n", encoding="utf-8")
        (decoys / name).chmod(0o755)
    project = tiny("decoy")
    # In front of everything: even a caller who rearranges PATH cannot make the engine look there.
    done = project.up(PATH=f"{decoys}:{lab.env['PATH']}")
    assert "+ 3 created" in done.stdout
    assert not called.exists()


def test_aws_gives_the_labs_token_and_nothing_else(lab: Lab) -> None:
    command = ["aws", "eks", "get-token", "--cluster-name", "chat", "--region", "us-east-1"]
    credential = json.loads(lab.run(*command).stdout)
    assert credential["kind"] == "ExecCredential"
    assert credential["status"]["token"] == lab.kube.token
    refused = subprocess.run(["aws", "s3", "ls"], env=lab.env, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert "answers only `aws eks get-token`" in refused.stderr


@pytest.mark.parametrize("version", ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"])
def test_the_token_comes_in_the_version_that_was_asked_for(version: str) -> None:
    assert json.loads(answer("t", json.dumps({"apiVersion": version})))["apiVersion"] == version
    assert json.loads(answer("t", ""))["apiVersion"].endswith("/v1beta1")
