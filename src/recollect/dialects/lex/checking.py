"""`lex.policy_check`: whether the policy is what it should be, and whether the code keeps to it."""

from __future__ import annotations

from collections.abc import Iterable

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Arguments, Json, Told
from recollect.dialects.lex.asked import Asked
from recollect.policy.check import Violation
from recollect.policy.document import Problem
from recollect.service import checking
from recollect.service.checking import Report


def policy_check(desk: Desk, arguments: Arguments) -> Told:
    asked = Asked(arguments)
    path, policy_path = asked.optional("path"), asked.optional("policyPath")
    is_strict = asked.flag("strict")
    asked.refuse()
    # LEX_STRICT_MODE is about ids: only who asks for it here takes warnings for failures.
    report = checking.check(desk.workspace(), path, policy_path, is_strict=is_strict)
    return Told(_text(report), _data(report))


def _text(report: Report) -> str:
    told = [_verdict(report)]
    errors = [
        *(f"{each.place}: {each.message}" for each in report.errors),
        *(f"{each.from_file}:{each.line}: {_said(each)}" for each in report.violations),
    ]
    wrong = report.error_count + report.violation_count
    told += _section("Errors:", "❌", errors, wrong)
    warnings = [f"{each.place}: {each.message}" for each in report.warnings]
    told += _section("Warnings:", "⚠️ ", warnings, report.warning_count)
    if report.is_cut:
        told += ["", "✂️  Not all of the code was read: the tree is too large"]
    return "\n".join(told) + "\n"


def _verdict(report: Report) -> str:
    if report.is_valid:
        return f"✅ Policy valid: {report.module_count} modules defined"
    wrong = report.error_count + report.violation_count
    if wrong:
        return f"❌ Policy invalid: {wrong} error(s) found"
    return f"❌ Policy invalid: {report.warning_count} warning(s) found in strict mode"


def _section(heading: str, sign: str, told: list[str], count: int) -> list[str]:
    if not told:
        return []
    left = count - len(told)
    more = [f"  … and {left} more"] if left > 0 else []
    return ["", heading, *(f"  {sign} {each}" for each in told), *more]


def _said(violation: Violation) -> str:
    return (
        f"{violation.caller} → {violation.called} is not allowed ({violation.reason}): "
        f"it imports {violation.to_file}"
    )


def _data(report: Report) -> dict[str, Json]:
    return {
        "valid": report.is_valid,
        "policyPath": report.policy_path,
        "moduleCount": report.module_count,
        "strict": report.is_strict,
        "errors": _problems(report.errors),
        "errorCount": report.error_count,
        "warnings": _problems(report.warnings),
        "warningCount": report.warning_count,
        "violations": [_violation(each) for each in report.violations],
        "violationCount": report.violation_count,
        "filesParsed": report.parsed_count,
        "truncated": report.is_cut,
    }


def _problems(problems: Iterable[Problem]) -> list[Json]:
    return [{"path": each.place, "message": each.message} for each in problems]


def _violation(given: Violation) -> dict[str, Json]:
    return {
        "from": given.caller,
        "to": given.called,
        "from_file": given.from_file,
        "to_file": given.to_file,
        "line": given.line,
        "reason": given.reason,
    }
