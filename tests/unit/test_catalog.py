from datetime import date
from itertools import product

import pytest

from gpulanes import catalog
from gpulanes.catalog import Instance, ami_type, default, families, gpu, gpus, instance, instances, lustre_grids, model
from gpulanes.catalog.rows import rows
from gpulanes.errors import CatalogError, Problem


def _problem(caught: pytest.ExceptionInfo[CatalogError]) -> Problem:
    (problem,) = caught.value.problems
    return problem


def test_an_accelerated_type_is_known_whole() -> None:
    found = instance("p5.48xlarge")
    assert (found.family, found.vendor, found.gpu, found.gpus) == ("p5", "nvidia", "H100", 8)
    assert (found.gpu_memory_mib, found.vcpu, found.ram_gib, found.arch) == (81_920, 192, 2048.0, "x86_64")
    assert (found.network_gbps, found.efa_max, found.efa_cards) == (3200, 32, tuple(range(32)))
    assert (found.nvme_gb, found.ebs_mbps) == (30_400, 80_000)
    assert found.zone_ids["us-east-2"] == ("use2-az1", "use2-az2", "use2-az3")
    assert (found.allocatable_cpu_m, found.pods) == (191_450, 100)
    assert found.on_demand["us-east-1"].usd == 55.04
    assert (found.spot["us-east-1"].low_usd, found.spot["us-east-1"].high_usd) == (17.6289, 55.04)
    assert found.spot["us-east-1"].as_of == date(2026, 1, 18)
    assert found.capacity_block is not None
    assert found.capacity_block.usd == pytest.approx(8 * 5.191)
    assert found.accelerated
    assert found.as_of == date(2026, 10, 27)


def test_a_cpu_type_is_known_for_the_system_pool() -> None:
    found = instance(default("system_instance_type").text)
    assert (found.vendor, found.gpus, found.gpu_fraction, found.gpu_memory_mib) == ("", 0, 0.0, None)
    assert (found.vcpu, found.ram_gib, found.efa_max, found.efa_cards) == (4, 16.0, 0, ())
    assert not found.accelerated
    assert found.capacity_block is None
    assert found.on_demand_in("us-east-1")


def test_the_same_lookup_gives_the_same_object() -> None:
    assert instance("g6e.12xlarge") is instance("g6e.12xlarge")


@pytest.mark.parametrize(
    ("name", "memory_mib"),
    [
        pytest.param("g5.xlarge", 22_888, id="a10g-is-not-24-gb"),
        pytest.param("g6e.12xlarge", 45_776, id="l40s-is-not-48-gb"),
        pytest.param("trn2.48xlarge", 98_304, id="trainium2-has-96-gib-not-512"),
        pytest.param("inf2.48xlarge", 32_768, id="inferentia2"),
        pytest.param("p6e-gb200.36xlarge", None, id="gb200-not-established"),
    ],
)
def test_memory_is_the_figure_to_size_with(name: str, memory_mib: int | None) -> None:
    assert instance(name).gpu_memory_mib == memory_mib


def test_a_slice_of_a_gpu_is_not_a_gpu() -> None:
    slice_ = instance("g6f.large")
    assert (slice_.gpus, slice_.gpu_fraction, slice_.gpu_memory_mib, slice_.accelerated) == (0, 0.125, 2861, True)


def test_efa_cards_leave_out_the_one_that_is_plain_ena() -> None:
    assert instance("p6-b300.48xlarge").efa_cards == tuple(range(1, 17))
    assert instance("g6e.12xlarge").efa_cards == (0,)


def test_a_typo_in_a_known_family_gets_a_hint() -> None:
    with pytest.raises(CatalogError) as caught:
        instance("g6e.12xlage", path="workloads.chat.nodes.types[0]")
    problem = _problem(caught)
    assert (problem.code, problem.path, problem.value) == (
        "unknown-instance-type",
        "workloads.chat.nodes.types[0]",
        "g6e.12xlage",
    )
    assert problem.fix == "did you mean g6e.12xlarge?"
    assert "g6e.48xlarge" in problem.allowed


def test_a_size_that_nothing_resembles_lists_what_there_is() -> None:
    with pytest.raises(CatalogError) as caught:
        instance("p5e.")
    assert _problem(caught).code == "unknown-instance-type"
    with pytest.raises(CatalogError) as caught:
        instance("p6-b200.zzzzzzzzzzzzzzzzzzzzzzz")
    assert _problem(caught).fix == "use p6-b200.48xlarge"


@pytest.mark.parametrize(
    "name", ["g5g.xlarge", "g4ad.xlarge", "trn3.48xlarge", "zz9.plural", "", "p5", "u-p6e-gb200x36"]
)
def test_an_unknown_family_fails_closed(name: str) -> None:
    with pytest.raises(CatalogError) as caught:
        instance(name)
    problem = _problem(caught)
    assert problem.code in {"unknown-family", "unknown-instance-type"}
    assert (problem.code == "unknown-family") == (name.partition(".")[0] not in families())


def test_an_unknown_family_says_what_would_have_to_be_declared() -> None:
    with pytest.raises(CatalogError) as caught:
        instance("zz9.plural")
    assert "declare this one's accelerator, memory and architecture" in _problem(caught).fix
    assert "g6e" in _problem(caught).allowed


def test_a_monstrous_name_is_repeated_only_in_part() -> None:
    with pytest.raises(CatalogError) as caught:
        instance("x" * 100_000)
    assert len(_problem(caught).value) == 80


def test_lookup_by_requirement_is_cheapest_first() -> None:
    found = instances(vendor="nvidia", min_gpus=4, min_gpu_memory_mib=40_000, usage_class="on-demand")
    assert found[0].name == "g6e.12xlarge"
    assert all(one.gpus >= 4 and one.gpu_memory_mib and one.gpu_memory_mib >= 40_000 for one in found)
    prices = [price.usd if (price := one.on_demand_in("us-east-1")) else float("inf") for one in found]
    assert prices == sorted(prices)


def test_lookup_by_family_gpu_architecture_and_fabric() -> None:
    assert {one.family for one in instances(family="g6e")} == {"g6e"}
    assert {one.name for one in instances(gpu="H200")} == {"p5e.48xlarge", "p5en.48xlarge"}
    assert {one.arch for one in instances(arch="arm64")} == {"arm64"}
    assert {one.name for one in instances(min_efa=32)} == {"p5.48xlarge", "p5e.48xlarge"}
    assert "p6e-gb200.36xlarge" in {one.name for one in instances(usage_class="capacity-block")}
    assert instances(family="zz9") == ()


def test_types_without_a_price_come_last() -> None:
    names = [one.name for one in instances(vendor="aws")]
    assert names[-1] == "trn2u.48xlarge"
    assert instance("trn2u.48xlarge").on_demand_in("us-east-1") is None


def test_a_price_of_the_region_is_preferred_to_the_reference() -> None:
    found = instance("p4de.24xlarge")
    for region in ("us-west-2", "us-east-1"):
        price = found.on_demand_in(region)
        assert price is not None
        assert price.region == region
    elsewhere = found.on_demand_in("ap-south-1")
    assert elsewhere is not None
    assert elsewhere.region == "us-east-1"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("g6.xlarge", "AL2023_x86_64_NVIDIA"),
        ("p6e-gb200.36xlarge", "AL2023_ARM_64_NVIDIA"),
        ("trn1.32xlarge", "AL2023_x86_64_NEURON"),
        ("m7i.xlarge", "AL2023_x86_64_STANDARD"),
        ("m7g.xlarge", "AL2023_ARM_64_STANDARD"),
    ],
)
def test_the_image_follows_from_accelerator_and_architecture(name: str, expected: str) -> None:
    assert ami_type(instance(name)) == expected


def test_bottlerocket_where_there_is_one() -> None:
    assert ami_type(instance("g6.xlarge"), "BOTTLEROCKET") == "BOTTLEROCKET_x86_64_NVIDIA"
    assert ami_type(instance("m7g.xlarge"), "BOTTLEROCKET") == "BOTTLEROCKET_ARM_64"
    with pytest.raises(CatalogError) as caught:
        ami_type(instance("trn1.32xlarge"), "BOTTLEROCKET", path="workloads.pretrain.nodes.types[0]")
    problem = _problem(caught)
    assert (problem.code, problem.path) == ("no-ami", "workloads.pretrain.nodes.types[0]")
    assert "aws on x86_64" in problem.allowed


def _all() -> tuple[Instance, ...]:
    return instances()


@pytest.mark.parametrize("one", _all(), ids=lambda one: one.name)
def test_every_type_is_whole_dated_and_sourced(one: Instance) -> None:
    assert one.name.startswith(f"{one.family}.")
    assert one.vcpu > 0
    assert one.ram_gib > 0
    assert one.source
    assert date(2026, 1, 1) <= one.as_of <= date(2027, 12, 31)
    kind = {"nvidia": "_NVIDIA", "aws": "_NEURON", "": "_STANDARD"}[one.vendor]
    assert ami_type(one).endswith(kind)
    assert ("ARM_64" in ami_type(one)) == (one.arch == "arm64")
    assert len(one.efa_cards) in {0, one.efa_max}
    assert (one.gpu in gpus()) == one.accelerated
    assert (one.gpus > 0) == (one.gpu_fraction == 1.0)
    for spot in one.spot.values():
        assert 0 < spot.low_usd <= spot.high_usd


# Width of the feed-forward layer and what a block carries beside the projections: biases of q, k and v (Qwen2),
# norms of q and k (Qwen3), experts and their router (Mixtral). Source: the models' config.json.
FEED_FORWARD = {
    "llama-2-7b": 11_008,
    "llama-2-13b": 13_824,
    "llama-2-70b": 28_672,
    "llama-3-8b": 14_336,
    "llama-3-70b": 28_672,
    "llama-3.1-8b": 14_336,
    "llama-3.1-70b": 28_672,
    "llama-3.1-405b": 53_248,
    "llama-3.3-70b": 28_672,
    "mistral-7b": 14_336,
    "mixtral-8x7b": 14_336,
    "qwen2.5-7b": 18_944,
    "qwen2.5-32b": 27_648,
    "qwen2.5-72b": 29_568,
    "qwen3-8b": 12_288,
    "qwen3-32b": 25_600,
}
EXPERTS = {"mixtral-8x7b": (8, 2)}


def _count(name: str, experts: int, router: int) -> int:
    shape, wide = model(name), FEED_FORWARD[name]
    q, kv = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    block = 2 * shape.hidden * q + 2 * shape.hidden * kv + experts * 3 * shape.hidden * wide + 2 * shape.hidden
    block += q + 2 * kv if name.startswith("qwen2") else 2 * shape.head_dim if name.startswith("qwen3") else 0
    return shape.embedding_parameters + shape.layers * (block + router * shape.hidden) + shape.hidden


@pytest.mark.parametrize("name", catalog.models())
def test_parameters_follow_exactly_from_the_shape(name: str) -> None:
    experts, active = EXPERTS.get(name, (1, 1))
    router = experts if experts > 1 else 0
    assert model(name).parameters == _count(name, experts, router)
    assert model(name).active_parameters == _count(name, active, router)


def test_models_are_found_whatever_the_case_and_typos_get_a_hint() -> None:
    assert model("Llama-3.1-70B") is model("llama-3.1-70b")
    with pytest.raises(CatalogError) as caught:
        model("llama-3.1-70", path="workloads.chat.model")
    problem = _problem(caught)
    assert (problem.code, problem.path, problem.fix) == (
        "unknown-model",
        "workloads.chat.model",
        "did you mean llama-3.1-70b?",
    )


def test_a_model_that_nothing_resembles_can_be_stated_by_its_shape() -> None:
    with pytest.raises(CatalogError) as caught:
        model("zzz")
    assert _problem(caught).fix.startswith("state the model's shape")


def test_accelerators_know_their_speed_or_say_that_they_do_not() -> None:
    assert (gpu("H100").bf16_tflops, gpu("H100").memory_gb_per_s) == (989, 3350)
    assert gpu("A10G").bf16_tflops is None
    with pytest.raises(CatalogError) as caught:
        gpu("H10O", path="gpu")
    assert (_problem(caught).code, _problem(caught).fix) == ("unknown-gpu", "use an accelerator of the catalogue")


def test_the_lustre_grid_is_what_aws_documents() -> None:
    steps = {(g.deployment_type, g.efa, g.mb_per_s_per_tib): (g.first_gib, g.step_gib) for g in lustre_grids()}
    plain = {(kind, False, tier): (1200, 2400) for kind, tier in product(["PERSISTENT_2"], [125, 250, 500, 1000])}
    fabric = {("PERSISTENT_2", True, tier): (4800 * 1000 // tier,) * 2 for tier in (125, 250, 500, 1000)}
    assert steps == {("SCRATCH_2", False, 0): (1200, 2400), **plain, **fabric}


def test_defaults_carry_value_unit_and_reason() -> None:
    found = default("node_failures_per_day")
    assert (found.value, found.unit) == (0.0065, "per node-day")
    assert "2410.21680" in found.source
    assert found.as_of == date(2026, 11, 30)
    with pytest.raises(ValueError, match="m7i"):
        _ = default("system_instance_type").value
    with pytest.raises(KeyError):
        default("no such key")


@pytest.mark.parametrize(
    "file",
    [
        "aws-accelerators.csv",
        "aws-general.csv",
        "gcp-accelerators.csv",
        "models.csv",
        "gpus.csv",
        "lustre.csv",
        "defaults.csv",
    ],
)
def test_every_row_of_every_file_has_a_source_and_a_date_and_no_stray_cell(file: str) -> None:
    for row in rows(file):
        assert row["source"]
        assert date.fromisoformat(row["as_of"]).year == 2026
        assert None not in row
        assert None not in row.values()
