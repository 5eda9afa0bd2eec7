"""What is wrong with a request in Lex's own words, where its contract tells more than ours."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from recollect.dialect.spec import Json
from recollect.model.errors import InvalidRequest


class Code(StrEnum):
    """The published codes, in the order of the contract."""

    REQUIRED_FIELD = "VALIDATION_REQUIRED_FIELD"
    INVALID_FORMAT = "VALIDATION_INVALID_FORMAT"
    INVALID_MODULE_ID = "VALIDATION_INVALID_MODULE_ID"
    EMPTY_MODULE_SCOPE = "VALIDATION_EMPTY_MODULE_SCOPE"
    INVALID_STATUS = "VALIDATION_INVALID_STATUS"
    INVALID_IMAGE = "VALIDATION_INVALID_IMAGE"
    INVALID_PATH = "VALIDATION_INVALID_PATH"
    WRITE_FAILED = "STORAGE_WRITE_FAILED"
    READ_FAILED = "STORAGE_READ_FAILED"
    DELETE_FAILED = "STORAGE_DELETE_FAILED"
    IMAGE_FAILED = "STORAGE_IMAGE_FAILED"
    POLICY_NOT_FOUND = "POLICY_NOT_FOUND"
    POLICY_INVALID = "POLICY_INVALID"
    UNKNOWN_TOOL = "INTERNAL_UNKNOWN_TOOL"
    UNKNOWN_METHOD = "INTERNAL_UNKNOWN_METHOD"
    INTERNAL_ERROR = "INTERNAL_ERROR"

    @property
    def short(self) -> str:
        """As small contexts get it: the beginnings of the first and the last word."""
        words = self.value.split("_")
        return f"{words[0][:3]}_{words[-1][:3]}"


class Refused(InvalidRequest):
    """The request is refused under one of Lex's codes."""

    def __init__(
        self, published: Code, field: str, message: str, metadata: Mapping[str, Json]
    ) -> None:
        super().__init__(message)
        self.published, self.field, self.metadata = published, field, metadata


def missing(*names: str) -> Refused:
    fields = "fields" if len(names) > 1 else "field"
    listed: list[Json] = list(names)
    told = f"Missing required {fields}: {', '.join(names)}"
    return Refused(Code.REQUIRED_FIELD, names[0], told, {"missingFields": listed})


def malformed(field: str, problem: str) -> Refused:
    return Refused(Code.INVALID_FORMAT, field, f"{field} {problem}", {"field": field})


def empty_scope() -> Refused:
    told = "module_scope must name at least one module"
    return Refused(Code.EMPTY_MODULE_SCOPE, "module_scope", told, {"field": "module_scope"})


def bad_status(field: str, problem: str) -> Refused:
    return Refused(Code.INVALID_STATUS, field, f"{field} {problem}", {"field": field})
