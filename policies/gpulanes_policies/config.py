"""Levels and parameters of rules, and the JSON Schema that a configuration has to meet."""

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from gpulanes.errors import Problem, SpecError
from gpulanes_policies.rule import LEVELS, AnyRule, Level, Parameter, Parameters, Severity, Value

Environment = Literal["prod", "staging", "dev"]
ENVIRONMENTS: tuple[Environment, ...] = get_args(Environment)

PROFILES: Mapping[Environment, Mapping[Severity, Level]] = {
    "prod": {"critical": "mandatory", "high": "mandatory", "medium": "advisory", "low": "advisory"},
    "staging": {"critical": "mandatory", "high": "advisory", "medium": "advisory", "low": "advisory"},
    "dev": {"critical": "advisory", "high": "advisory", "medium": "advisory", "low": "advisory"},
}
"""The level of a rule by its severity, where the configuration says nothing about the rule itself."""


@dataclass(frozen=True, slots=True)
class RuleConfig:
    """What a team sets for one rule."""

    level: Level | None = None
    parameters: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Config:
    """Which profile applies, and what differs from it."""

    environment: Environment = "prod"
    rules: Mapping[str, RuleConfig] = field(default_factory=dict)

    def level(self, rule: AnyRule) -> Level:
        """Return the level of a rule: its own, else that of its severity in the environment's profile."""
        own = self.rules.get(rule.id)
        return PROFILES[self.environment][rule.severity] if own is None or own.level is None else own.level

    def parameters(self, rule: AnyRule) -> Parameters:
        """Return the parameters of a rule, defaults filled in."""
        own = self.rules.get(rule.id)
        return Parameters({**rule.defaults(), **(own.parameters if own else {})})


def read_config(data: Mapping[str, object], rules: Sequence[AnyRule]) -> Config:
    """Return the configuration in ``data``; raises SpecError with everything that is wrong with it."""
    reader = _Reader({rule.id: rule for rule in rules})
    config = reader.read(data)
    if reader.problems:
        raise SpecError(reader.problems)
    return config


class _Reader:
    """Reads what it can and keeps every problem."""

    def __init__(self, rules: Mapping[str, AnyRule]) -> None:
        self.rules = rules
        self.problems: list[Problem] = []

    def read(self, data: Mapping[str, object]) -> Config:
        self._only(data, ("environment", "rules"), "")
        environment = next((name for name in ENVIRONMENTS if name == data.get("environment", "prod")), None)
        if environment is None:
            self._wrong("environment", data["environment"], f"one of {', '.join(ENVIRONMENTS)}")
        rules = data.get("rules", {})
        if not isinstance(rules, Mapping):
            self._wrong("rules", rules, "a mapping of rule ids")
            rules = {}
        self._only(rules, self.rules, "rules")
        read = {name: self._rule(self.rules[name], value) for name, value in rules.items() if name in self.rules}
        return Config(environment or "prod", read)

    def _rule(self, rule: AnyRule, data: object) -> RuleConfig:
        path = f"rules.{rule.id}"
        if isinstance(data, str):
            data = {"level": data}
        if not isinstance(data, Mapping):
            self._wrong(path, data, "a level, or a mapping of level and parameters")
            return RuleConfig()
        self._only(data, ("level", *rule.parameters), path)
        level = next((name for name in LEVELS if name == data.get("level")), None)
        if level is None and "level" in data:
            self._wrong(f"{path}.level", data["level"], f"one of {', '.join(LEVELS)}")
        return RuleConfig(level, dict(self._parameters(rule, data, path)))

    def _parameters(self, rule: AnyRule, data: Mapping[str, object], path: str) -> Iterator[tuple[str, Value]]:
        for name, parameter in rule.parameters.items():
            if name not in data:
                continue
            value = _typed(data[name], parameter)
            if value is None:
                self._wrong(f"{path}.{name}", data[name], _TYPES[type(parameter.default)][1])
            else:
                yield name, value

    def _only(self, data: Mapping[str, object], allowed: Iterable[str], path: str) -> None:
        names = list(allowed)
        for key in data:
            if key in names:
                continue
            close = difflib.get_close_matches(str(key), names, n=1)
            fix = f"did you mean {close[0]}?" if close else f"remove {key}"
            where = f"{path}.{key}" if path else str(key)
            self.problems.append(Problem("config-unknown-key", where, "", f"one of {', '.join(names)}", fix))

    def _wrong(self, path: str, value: object, allowed: str) -> None:
        problem = Problem("config-value", path, repr(value), allowed, f"set {path} to {allowed}")
        self.problems.append(problem)


def _typed(value: object, parameter: Parameter) -> Value | None:
    """Return the value in the parameter's type, or None; whole floats are how JSON delivers integers."""
    if isinstance(parameter.default, tuple):
        return tuple(value) if isinstance(value, list | tuple) and all(isinstance(v, str) for v in value) else None
    if isinstance(parameter.default, str):
        return value if isinstance(value, str) else None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


_TYPES: Mapping[type, tuple[Mapping[str, object], str]] = {
    int: ({"type": "integer"}, "a whole number"),
    str: ({"type": "string"}, "a text"),
    tuple: ({"type": "array", "items": {"type": "string"}}, "a list of texts"),
}


def config_schema(rules: Sequence[AnyRule]) -> dict[str, Any]:
    """Return the JSON Schema of a configuration: the environment, and level and parameters of every rule."""
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "environment": {
                "type": "string",
                "enum": list(ENVIRONMENTS),
                "description": "Profile of default levels: prod stops on critical and high, staging on critical.",
            },
            "rules": {
                "type": "object",
                "additionalProperties": False,
                "description": "Level and parameters, by rule id.",
                "properties": {rule.id: _rule_schema(rule) for rule in rules},
            },
        },
    }


def _rule_schema(rule: AnyRule) -> dict[str, Any]:
    level = {"type": "string", "enum": list(LEVELS)}
    parameters = {
        name: {
            **_TYPES[type(parameter.default)][0],
            "description": parameter.about,
            "default": list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default,
        }
        for name, parameter in rule.parameters.items()
    }
    whole = {"type": "object", "additionalProperties": False, "properties": {"level": level, **parameters}}
    return {"description": rule.title, "anyOf": [level, whole]}
