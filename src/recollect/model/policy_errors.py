"""The errors about policies, modules and source: a branch of the tree in `errors`.

InvalidRequest
├── UnknownModules    module ids that the policy does not have
└── PolicyInvalid     a policy file that cannot be understood
NotFound
├── PolicyNotFound    the policy file that was named
└── PathNotFound      a file or folder that was named

Each can be told without its facts as well, as for the pages that list all errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from recollect.model.errors import InvalidRequest, NotFound


class UnknownModules(InvalidRequest):
    """Module ids are not in the policy."""

    code = "unknown_modules"
    hint = "Use ids of the policy as they stand there, or add the module to the policy."

    def __init__(
        self,
        invalid: Sequence[str] = (),
        *,
        suggestions: Mapping[str, Sequence[str]] | None = None,
        targets: Mapping[str, str] | None = None,
        available: Sequence[str] = (),
        module_count: int = 0,
    ) -> None:
        """`suggestions` has the nearest ids for each invalid one, `targets` what an alias stands
        for when the policy does not have that either; `available` are the first of the policy."""
        self.invalid = tuple(invalid)
        self.suggestions = {id_: tuple(near) for id_, near in (suggestions or {}).items()}
        self.targets = dict(targets or {})
        self.available = tuple(available)
        self.module_count = module_count
        super().__init__(
            f"Module ids are not in the policy: {', '.join(self.invalid)}" if invalid else None,
            invalid=self.invalid,
            suggestions=self.suggested,
            available=self.available,
            module_count=module_count,
        )

    @property
    def suggested(self) -> tuple[str, ...]:
        """The suggestions for all invalid ids, each once."""
        return tuple(dict.fromkeys(id_ for near in self.suggestions.values() for id_ in near))


class PolicyInvalid(InvalidRequest):
    """The policy file cannot be understood."""

    code = "policy_invalid"
    hint = "`recollect lex policy check` shows every problem."

    def __init__(self, path: str = "", problems: Sequence[tuple[str, str]] = ()) -> None:
        """`problems` are pairs of a place within the policy and what is wrong there."""
        self.path = path
        self.problems = tuple(problems)
        more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
        told = [f"{place}: {message}{more}" for place, message in self.problems[:1]]
        super().__init__(
            f"The policy file {path} cannot be understood: {told[0]}" if told else None,
            path=path,
            problems=self.problems,
        )


class PolicyNotFound(NotFound):
    """The policy file was not found."""

    code = "policy_not_found"
    hint = (
        "Name another file, or let `recollect lex init` propose one; "
        "without a policy every module id is accepted."
    )

    def __init__(self, path: str = "") -> None:
        self.path = path
        super().__init__(f"Policy file not found: {path}" if path else None, path=path)


class PathNotFound(NotFound):
    """The path does not exist or cannot be read."""

    code = "path_not_found"

    def __init__(self, path: str = "") -> None:
        self.path = path
        told = f"The path does not exist or cannot be read: {path}" if path else None
        super().__init__(told, path=path)
