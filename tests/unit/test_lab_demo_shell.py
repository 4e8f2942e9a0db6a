"""How the demo shortens what Pulumi prints, without hiding what went wrong."""

from gpulanes_lab.demo.shell import first_lines, sections

OUTPUT = """\
Updating (prod):
 +  aws:ec2:Vpc chat-prod-vpc created (0.1s)

Policies:
    ✅ gpulanes@v0.1.0 (local: policies)

Diagnostics:
  aws:ec2:Vpc (chat-prod-vpc):
    warning: something to know

Outputs:
    lanes: {
        pools: {}
    }

Resources:
    + 116 created

Duration: 11s

The resources in the stack have been deleted, but more advice follows.
"""


def test_only_the_named_sections_are_kept_in_their_order() -> None:
    kept = sections("Policies", "Resources", "Duration")(OUTPUT)
    assert kept.split("\n\n") == [
        "Policies:\n    ✅ gpulanes@v0.1.0 (local: policies)",
        "Resources:\n    + 116 created",
        "Duration: 11s",
    ]


def test_a_diagnostic_is_shown_when_there_is_one() -> None:
    assert "something to know" in sections("Diagnostics")(OUTPUT)


def test_a_coloured_heading_is_still_a_heading() -> None:
    coloured = OUTPUT.replace("Resources:", "\x1b[95m\x1b[1mResources:\x1b[0m")
    assert "+ 116 created" in sections("Resources")(coloured)
    assert "lanes" not in sections("Resources")(coloured)


def test_a_long_output_says_how_much_was_left_out() -> None:
    assert first_lines(2, "more of the same")("a\nb\nc\nd\n") == "a\nb\n  … 2 more lines: more of the same"
    assert first_lines(4, "more of the same")("a\nb\nc\nd\n") == "a\nb\nc\nd"
