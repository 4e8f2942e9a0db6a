import json
from pathlib import Path

import pytest

from builders import stack_plan
from gpulanes.kinds.plain import Plain, to_plain

HERE = Path(__file__).parent


def rounded(value: Plain) -> Plain:
    """Round fractions to ten digits: the last ones are the C library's, not ours."""
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("environment", ["prod", "staging", "dev"])
def test_the_plan_of_a_shipped_file_is_the_golden_one(environment: str, *, update_golden: bool) -> None:
    text = json.dumps(rounded(to_plain(stack_plan(environment))), indent=1, ensure_ascii=False) + "\n"
    golden = HERE / f"{environment}.json"
    if update_golden:
        golden.write_text(text, encoding="utf-8")
    assert json.loads(text) == json.loads(golden.read_text(encoding="utf-8"))
    assert text == golden.read_text(encoding="utf-8")
