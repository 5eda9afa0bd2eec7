"""The tools, resources and prompts that the conformance suite expects of a server to test.

Test-only: the product has none of them. They are answered through the product's transport.
"""

from __future__ import annotations

import asyncio
import base64
import json
import struct
import zlib
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.shared.exceptions import MCPError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from recollect.mcp.server import Context

Content = list[types.ContentBlock]
PAUSE = 0.05
ANYTHING: dict[str, Any] = {"type": "object"}


def _png() -> str:
    """One red pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0\xff\0\0")
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + parts).decode()


def _wav() -> str:
    """No sound at all."""
    form = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, 8000, 8000, 1, 8)
    data = struct.pack("<4sI", b"data", 0)
    return base64.b64encode(struct.pack("<4sI4s", b"RIFF", 36, b"WAVE") + form + data).decode()


IMAGE = types.ImageContent(type="image", data=_png(), mime_type="image/png")


def text(words: str) -> types.TextContent:
    return types.TextContent(type="text", text=words)


def embedded(uri: str, kind: str, words: str) -> types.EmbeddedResource:
    resource = types.TextResourceContents(uri=uri, mime_type=kind, text=words)
    return types.EmbeddedResource(type="resource", resource=resource)


async def simple_text(_: Context, __: dict[str, Any]) -> Content:
    return [text("This is a simple text response for testing.")]


async def image(_: Context, __: dict[str, Any]) -> Content:
    return [IMAGE]


async def audio(_: Context, __: dict[str, Any]) -> Content:
    return [types.AudioContent(type="audio", data=_wav(), mime_type="audio/wav")]


async def embedded_resource(_: Context, __: dict[str, Any]) -> Content:
    return [
        embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    ]


async def several(_: Context, __: dict[str, Any]) -> Content:
    data = json.dumps({"test": "data", "value": 123}, separators=(",", ":"))
    mixed = embedded("test://mixed-content-resource", "application/json", data)
    return [text("Multiple content types test:"), IMAGE, mixed]


async def logging(context: Context, _: dict[str, Any]) -> Content:
    for words in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await context.session.send_log_message("info", words, related_request_id=context.request_id)
        await asyncio.sleep(PAUSE)
    return [text("logged three times")]


async def progress(context: Context, _: dict[str, Any]) -> Content:
    for done in (0, 50, 100):
        await context.session.report_progress(done, 100)
        await asyncio.sleep(PAUSE)
    return [text("all done")]


async def reconnection(_: Context, __: dict[str, Any]) -> Content:
    """Answers on the stream it was asked on: resuming streams is optional, and not offered."""
    return [text("still connected")]


async def fail(_: Context, __: dict[str, Any]) -> Content:
    raise ValueError("This tool intentionally returns an error for testing")


async def sampling(context: Context, arguments: dict[str, Any]) -> Content:
    message = types.SamplingMessage(role="user", content=text(arguments["prompt"]))
    answer = await context.session.create_message(
        [message], max_tokens=100, related_request_id=context.request_id
    )
    said = answer.content.text if isinstance(answer.content, types.TextContent) else "no text"
    return [text(f"LLM response: {said}")]


async def elicitation(context: Context, arguments: dict[str, Any]) -> Content:
    fields = {
        "username": {"type": "string", "description": "User's response"},
        "email": {"type": "string", "description": "User's email address"},
    }
    return await _elicited(context, arguments["message"], fields, "User response", list(fields))


async def elicitation_defaults(context: Context, _: dict[str, Any]) -> Content:
    status = ["active", "inactive", "pending"]
    fields = {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": status, "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
    return await _elicited(context, "Please check", fields, "Elicitation completed")


async def elicitation_enums(context: Context, _: dict[str, Any]) -> Content:
    plain = ["option1", "option2", "option3"]
    ranks = ("First", "Second", "Third")
    options, choices = (
        [{"const": f"value{n}", "title": f"{rank} {word}"} for n, rank in enumerate(ranks, 1)]
        for word in ("Option", "Choice")
    )
    fields = {
        "untitledSingle": {"type": "string", "enum": plain},
        "titledSingle": {"type": "string", "oneOf": options},
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": plain}},
        "titledMulti": {"type": "array", "items": {"anyOf": choices}},
    }
    return await _elicited(context, "Please choose", fields, "Elicitation completed")


async def _elicited(
    context: Context,
    message: str,
    fields: dict[str, Any],
    said: str,
    required: list[str] | None = None,
) -> Content:
    schema: dict[str, Any] = {"type": "object", "properties": fields, "required": required or []}
    answer = await context.session.elicit_form(message, schema, context.request_id)
    return [text(f"{said}: action={answer.action}, content={json.dumps(answer.content)}")]


TOOLS: dict[str, Callable[[Context, dict[str, Any]], Awaitable[Content]]] = {
    "test_simple_text": simple_text,
    "test_image_content": image,
    "test_audio_content": audio,
    "test_embedded_resource": embedded_resource,
    "test_multiple_content_types": several,
    "test_tool_with_logging": logging,
    "test_tool_with_progress": progress,
    "test_reconnection": reconnection,
    "test_error_handling": fail,
    "test_sampling": sampling,
    "test_elicitation": elicitation,
    "test_elicitation_sep1034_defaults": elicitation_defaults,
    "test_elicitation_sep1330_enums": elicitation_enums,
    "json_schema_2020_12_tool": simple_text,
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "test_sampling": {"type": "object", "properties": {"prompt": {"type": "string"}}},
    "test_elicitation": {"type": "object", "properties": {"message": {"type": "string"}}},
    "json_schema_2020_12_tool": {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": False,
    },
}


def resource(uri: str) -> types.TextResourceContents | types.BlobResourceContents:
    if uri == "test://static-binary":
        return types.BlobResourceContents(uri=uri, mime_type="image/png", blob=IMAGE.data)
    if uri == "test://static-text":
        words = "This is the content of the static text resource."
        return types.TextResourceContents(uri=uri, mime_type="text/plain", text=words)
    number = uri.removeprefix("test://template/").removesuffix("/data")
    if uri != f"test://template/{number}/data":
        raise MCPError(code=types.INVALID_PARAMS, message=f"no such resource: {uri}")
    data = {"id": number, "templateTest": True, "data": f"Data for ID: {number}"}
    return types.TextResourceContents(uri=uri, mime_type="application/json", text=json.dumps(data))


def prompt(name: str, arguments: dict[str, str]) -> list[types.ContentBlock]:
    if name == "test_simple_prompt":
        return [text("This is a simple prompt for testing.")]
    if name == "test_prompt_with_arguments":
        given = f"arg1='{arguments.get('arg1')}', arg2='{arguments.get('arg2')}'"
        return [text(f"Prompt with arguments: {given}")]
    if name == "test_prompt_with_embedded_resource":
        words = "Embedded resource content for testing."
        block = embedded(arguments.get("resourceUri", ""), "text/plain", words)
        return [block, text("Please process the embedded resource above.")]
    if name == "test_prompt_with_image":
        return [IMAGE, text("Please analyze the image above.")]
    raise MCPError(code=types.INVALID_PARAMS, message=f"no such prompt: {name}")


PROMPTS: dict[str, list[str]] = {
    "test_simple_prompt": [],
    "test_prompt_with_arguments": ["arg1", "arg2"],
    "test_prompt_with_embedded_resource": ["resourceUri"],
    "test_prompt_with_image": [],
}
