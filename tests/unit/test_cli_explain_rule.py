"""What `gpulanes explain rule` shows."""

import pytest

from gpulanes.cli.__main__ import main
from gpulanes_policies.engine import load_rules


@pytest.mark.parametrize("rule", load_rules(), ids=lambda rule: rule.id)
def test_every_rule_is_explained(rule: object, capsys: pytest.CaptureFixture[str]) -> None:
    identity = str(getattr(rule, "id", ""))
    assert main(["explain", "rule", identity.lower()]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f"{identity}  ")
    assert [part for part in ("fix: ", "source: ", "Violates it", "Meets it") if part not in printed] == []


def test_parameters_are_shown_with_their_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "rule", "CAP-01"]) == 0
    assert "  exempt_service_classes (default best-effort): " in capsys.readouterr().out


def test_an_unknown_rule_is_told_with_the_rules_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "rule", "CAP-99"]) == 2
    told = capsys.readouterr().err
    assert "CAP-99" in told
    assert "CAP-01, CAP-02" in told
