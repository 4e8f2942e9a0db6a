import jsonschema
import pytest

from gpulanes.errors import SpecError
from gpulanes_policies.config import Config, config_schema, read_config
from gpulanes_policies.engine import load_rules
from gpulanes_policies.rule import Parameters

RULES = load_rules()
BY_ID = {rule.id: rule for rule in RULES}


def test_nothing_configured_is_the_profile_of_production() -> None:
    assert read_config({}, RULES) == Config()
    assert Config().level(BY_ID["CAP-01"]) == "mandatory"


def test_a_rule_takes_a_level_and_parameters() -> None:
    rules = {"CAP-01": "disabled", "SIZ-01": {"level": "advisory", "minimum_nodes": 3.0}, "DIS-01": {}}
    config = read_config({"environment": "staging", "rules": rules}, RULES)
    assert config.level(BY_ID["CAP-01"]) == "disabled"
    assert config.level(BY_ID["SIZ-01"]) == "advisory"
    assert config.level(BY_ID["DIS-01"]) == "mandatory"
    assert config.parameters(BY_ID["SIZ-01"]).number("minimum_nodes") == 3
    assert config.parameters(BY_ID["SIZ-01"]).names("exempt_service_classes") == ("best-effort",)
    assert config.parameters(BY_ID["DIS-01"]).text("minimum_consolidate_after") == "10m"


def test_texts_and_lists_are_parameters_too() -> None:
    rules = {"DIS-01": {"minimum_consolidate_after": "1h"}, "STO-01": {"scratch": ["hot"]}}
    config = read_config({"rules": rules}, RULES)
    assert config.parameters(BY_ID["DIS-01"]).text("minimum_consolidate_after") == "1h"
    assert config.parameters(BY_ID["STO-01"]).names("scratch") == ("hot",)


def test_everything_that_is_wrong_is_said_at_once_with_a_hint() -> None:
    rules = {
        "CAP-1": "advisory",
        "CAP-02": "mandatry",
        "SIZ-01": {"minimum_node": 2, "minimum_nodes": "two"},
        "DIS-01": {"minimum_consolidate_after": 60},
        "STO-01": {"scratch": "hot"},
        "TAG-01": {"keys": [1]},
        "ZON-01": 3,
        "ZON-02": {"minimum_zones": True},
    }
    with pytest.raises(SpecError) as caught:
        read_config({"environment": "production", "rule": {}, "rules": rules}, RULES)
    problems = {problem.path: problem for problem in caught.value.problems}
    assert set(problems) == {
        "environment",
        "rule",
        "rules.CAP-1",
        "rules.CAP-02.level",
        "rules.SIZ-01.minimum_node",
        "rules.SIZ-01.minimum_nodes",
        "rules.DIS-01.minimum_consolidate_after",
        "rules.STO-01.scratch",
        "rules.TAG-01.keys",
        "rules.ZON-01",
        "rules.ZON-02.minimum_zones",
    }
    assert problems["rules.CAP-1"].fix in {"did you mean CAP-01?", "did you mean CAP-02?"}
    assert problems["rules.SIZ-01.minimum_nodes"].allowed == "a whole number"


def test_rules_have_to_be_a_mapping() -> None:
    with pytest.raises(SpecError, match="a mapping of rule ids"):
        read_config({"rules": ["CAP-01"]}, RULES)


def test_a_key_that_is_like_nothing_is_to_be_removed() -> None:
    with pytest.raises(SpecError, match="remove colour"):
        read_config({"colour": "red"}, RULES)


VALID = [
    {},
    {"environment": "dev"},
    {"rules": {"CAP-01": "advisory"}},
    {"rules": {"SIZ-01": {"level": "mandatory", "minimum_nodes": 2}, "STO-01": {"scratch": []}}},
]
INVALID = [
    {"environment": "x"},
    {"rules": {"CAP-01": "x"}},
    {"rules": {"NO-1": "advisory"}},
    {"rules": {"SIZ-01": {"minimum_nodes": "x"}}},
    {"more": 1},
]


@pytest.mark.parametrize("data", [*VALID, *INVALID])
def test_the_schema_and_the_reader_agree(data: dict[str, object]) -> None:
    schema = config_schema(RULES)
    jsonschema.Draft202012Validator.check_schema(schema)
    accepted = jsonschema.Draft202012Validator(schema).is_valid(data)
    assert accepted == (data in VALID)
    if accepted:
        read_config(data, RULES)
    else:
        with pytest.raises(SpecError):
            read_config(data, RULES)


def test_a_rule_that_asks_for_another_type_is_a_defect() -> None:
    parameters = Parameters({"names": ("a",), "count": 2})
    with pytest.raises(TypeError, match="names is not a number"):
        parameters.number("names")
    with pytest.raises(TypeError, match="count is not a list"):
        parameters.names("count")
