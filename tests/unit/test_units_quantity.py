import math
import re

import pytest
from pydantic import TypeAdapter, ValidationError

from gpulanes.units import (
    GB,
    GIB,
    Amount,
    Bytes,
    Duration,
    Fraction,
    MonthlyCost,
    PerTime,
    Unit,
    UnitRangeError,
    gib,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2s", Duration(2.0)),
        ("500ms", Duration(0.5)),
        ("5m", Duration(300.0)),
        ("5 min", Duration(300.0)),
        ("1.5h", Duration(5400.0)),
        ("30d", Duration(2_592_000.0)),
        ("2w", Duration(1_209_600.0)),
        ("1200GiB", Bytes(1200 * GIB)),
        ("4.8TB", Bytes(4800 * GB)),
        ("1 kB", Bytes(1000)),
        ("25%", Fraction(0.25)),
        ("99.9%", Fraction(0.999)),
        ("0%", Fraction(0.0)),
        ("70.6B", Amount(70.6e9)),
        ("15T", Amount(15e12)),
        ("8192", Amount(8192.0)),
        ("0.4/min", PerTime(0.4 / 60)),
        ("5/h", PerTime(5 / 3600)),
        ("0/s", PerTime(0.0)),
        ("150000 USD/month", MonthlyCost(150000.0)),
    ],
)
def test_units_are_read_as_people_write_them(text: str, value: Unit) -> None:
    assert type(value).parse(text) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Duration(5400.0), "90m"),
        (Duration(86400.0), "1d"),
        (Duration(0.5), "500ms"),
        (Duration(1.0005), "1.0005s"),
        (Bytes(1200 * GIB), "1200GiB"),
        (Bytes(2**40), "1TiB"),
        (Bytes(10**12), "1TB"),
        (Bytes(1000), "1kB"),
        (Bytes(123_456_789), "123456789B"),
        (Fraction(0.999), "99.9%"),
        (Fraction(1), "100%"),
        (Fraction(0.0), "0%"),
        (Amount(70.6e9), "70.6B"),
        (Amount(8192), "8192"),
        (Amount(1000.0), "1K"),
        (PerTime(0.4 / 60), "0.4/min"),
        (PerTime(5 / 3600), "5/h"),
        (PerTime(0.0), "0/s"),
        (PerTime(5), "5/s"),
        (MonthlyCost(150000), "150000 USD/month"),
        (MonthlyCost(0.25), "0.25 USD/month"),
    ],
)
def test_units_print_the_way_people_write_them(value: Unit, text: str) -> None:
    assert str(value) == text


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        (Duration, "5"),
        (Duration, "-5s"),
        (Duration, "5 parsecs"),
        (Duration, "1e3s"),
        (Duration, " 5s"),
        (Duration, "5s\n"),
        (Duration, "\N{ARABIC-INDIC DIGIT FIVE}s"),
        (Duration, "9" * 30 + "s"),
        (Bytes, "1200"),
        (Bytes, "1200 gib"),
        (Fraction, "0.25"),
        (Fraction, "-1%"),
        (Amount, "70.6 billion"),
        (PerTime, "0.4"),
        (MonthlyCost, "150000"),
        (MonthlyCost, "150000 EUR/month"),
    ],
)
def test_other_spellings_are_refused_and_the_message_says_what_is_expected(unit: type[Unit], text: str) -> None:
    with pytest.raises(ValueError, match=f"^expected {re.escape(unit.EXPECTED)}$") as caught:
        unit.parse(text)
    assert not isinstance(caught.value, UnitRangeError)


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        (Duration, "0s"),
        (Duration, "0.5ms"),
        (Duration, "3651d"),
        (Bytes, "0B"),
        (Bytes, "1001PB"),
        (Bytes, "1.5B"),
        (Fraction, "101%"),
        (Fraction, "0.000000001%"),
        (Amount, "0"),
        (Amount, "1000001T"),
        (PerTime, "1000001/s"),
        (PerTime, "0.000000001/d"),
        (MonthlyCost, "0 USD/month"),
        (MonthlyCost, "10000000001 USD/month"),
    ],
)
def test_well_formed_quantities_that_nothing_can_have_are_out_of_range(unit: type[Unit], text: str) -> None:
    with pytest.raises(UnitRangeError, match=r"^expected "):
        unit.parse(text)


@pytest.mark.parametrize("unit", [Duration, Fraction, Amount, PerTime, MonthlyCost])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -1.0])
def test_no_instance_holds_nan_infinity_or_a_negative_number(unit: type[Duration], value: float) -> None:
    with pytest.raises(UnitRangeError):
        unit(value)


def test_gb_and_gib_are_not_the_same() -> None:
    assert Bytes.parse("1GB").count == 1_000_000_000
    assert Bytes.parse("1GiB").count == 1_073_741_824
    assert Bytes.parse("1GiB").gib == 1.0
    assert Bytes.parse("2GB").gb == 2.0
    assert gib(GIB * 3) == 3.0


def test_durations_know_their_hours_and_days() -> None:
    assert Duration.parse("36h").hours == 36.0
    assert Duration.parse("36h").days == 1.5


@pytest.mark.parametrize(
    ("duration", "go"),
    [
        ("164h", "164h"),
        ("163.5h", "163h30m"),
        ("1h", "60m"),
        ("5m", "5m"),
        ("90s", "90s"),
        ("3601s", "1h1s"),
        ("2d", "48h"),
    ],
)
def test_durations_have_the_spelling_that_kubernetes_reads(duration: str, go: str) -> None:
    assert Duration.parse(duration).go() == go


def test_part_seconds_have_no_kubernetes_spelling() -> None:
    with pytest.raises(ValueError, match="whole seconds, not 1500ms"):
        Duration(1.5).go()


def test_quantities_compare_by_size() -> None:
    assert Duration.parse("90s") < Duration.parse("2m")
    assert max(Amount.parse("1B"), Amount.parse("999M")) == Amount(1e9)


def test_models_take_instances_text_and_natural_numbers() -> None:
    fraction = TypeAdapter(Fraction)
    assert fraction.validate_python("25%") == fraction.validate_python(0.25) == fraction.validate_python(Fraction(0.25))
    assert fraction.validate_python(1) == Fraction(1.0)
    assert TypeAdapter(Amount).validate_python(70_600_000_000) == Amount(70.6e9)
    assert fraction.dump_json(Fraction(0.25)) == b'"25%"'


@pytest.mark.parametrize(
    ("unit", "value"),
    [
        (Duration, 300),
        (Duration, None),
        (Duration, ["5s"]),
        (Bytes, 1200),
        (Fraction, True),
        (Fraction, 1.5),
        (Fraction, -0.1),
        (Amount, 0),
        pytest.param(Amount, 10**400, id="huge"),
        (PerTime, 0.4),
        (MonthlyCost, 150000),
    ],
)
def test_models_refuse_numbers_without_a_unit_and_everything_else(unit: type[Unit], value: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(unit).validate_python(value)


def test_the_published_schema_has_the_pattern_and_the_limits_of_bare_numbers() -> None:
    pattern = {"type": "string", "pattern": f"^{Fraction.PATTERN}$", "examples": ["25%", "99.9%"]}
    assert TypeAdapter(Fraction).json_schema() == {"anyOf": [pattern, {"type": "number", "minimum": 0, "maximum": 1}]}
    assert TypeAdapter(Duration).json_schema()["type"] == "string"
