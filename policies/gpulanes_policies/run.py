"""One run of the engine over a stack: what was declared, and what has been reported already."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from threading import Lock

from gpulanes.facts import Declarations, PulumiResource, from_pulumi
from gpulanes_policies.config import Config
from gpulanes_policies.engine import judge
from gpulanes_policies.finding import Finding

_Key = tuple[str, str, str]


class StackRun:
    """Judges resources as they register, and the stack at the end; reports every cause once.

    A component is judged as a whole before any of its children exists. Its children are judged
    again as rendered, and only what their component did not already say is reported. Resources may
    register from several threads.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._declarations = Declarations()
        self._said: dict[str, set[_Key]] = {}
        self._inputs: dict[str, PulumiResource] = {}

    def resource(self, resource: PulumiResource, config: Config) -> Sequence[Finding]:
        """Return the findings on one resource, from its inputs.

        What an unknown only advises on is left to the stack, where companions can be found.
        """
        with self._lock:
            self._inputs[resource.urn] = resource
            facts = self._declarations.remember(resource)
            root = self._declarations.root(resource)
            if facts is None:
                facts = from_pulumi([resource], declarations=self._declarations)
                findings = [f for f in judge(facts, config, scope="resource").findings if not _left_to_stack(f)]
            else:
                findings = list(judge(facts, config).findings)
            new = [finding for finding in findings if _key(finding) not in self._said.get(root, ())]
            self._said[resource.urn] = {_key(finding) for finding in findings}
            return new

    def stack(self, resources: Iterable[PulumiResource], config: Config) -> Sequence[Finding]:
        """Return the findings on the whole stack that no resource had on its own.

        What a resource was given is judged, as far as it was seen: at preview a provider that cannot
        reach its API yet, such as Kubernetes before the cluster exists, answers with next to nothing.
        """
        with self._lock:
            ours = self._declarations.facts
            known = [r for r in resources if r.urn in ours or not r.token.startswith("gpulanes:")]
            seen = [self._as_given(resource) for resource in known]
            facts = from_pulumi(seen, declarations=self._declarations, whole=True)
            said = {r.urn: self._said_about(r) for r in seen}
            return [f for f in judge(facts, config).findings if _key(f) not in said.get(f.urn, ())]

    def _as_given(self, resource: PulumiResource) -> PulumiResource:
        """Return a resource with its inputs, its id, and the dependencies that only the stack tells."""
        given = self._inputs.get(resource.urn)
        if given is None:
            return resource
        identity = {"id": resource.props["id"]} if "id" in resource.props else {}
        return replace(resource, props={**given.props, **identity})

    def _said_about(self, resource: PulumiResource) -> set[_Key]:
        root = self._declarations.root(resource)
        return self._said.get(resource.urn, set()) | self._said.get(root, set())


def _key(finding: Finding) -> _Key:
    """A cause: the same rule on the same pool, whether its component or a child of it shows it."""
    return finding.rule, finding.target, finding.outcome


def _left_to_stack(finding: Finding) -> bool:
    return finding.outcome == "unknown" and finding.level == "advisory"
