"""A server with every MCP capability, behind the product's own doors, mount and guard.

The product itself serves tools only; what the suite asks beyond that is answered here, so that
the transport is tested with requests in both directions, streams and sessions.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import mcp_types as types
from fixture_tools import ANYTHING, PROMPTS, SCHEMAS, TOOLS, prompt, resource, text
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPDeprecationWarning

from recollect import __version__
from recollect.mcp.http import HttpDoor
from recollect.model.errors import UnknownDialect
from recollect.web.app import Worker, application
from recollect.web.guard import Rules
from recollect.web.mount import Doors
from recollect.worker.loop import Vitals

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from recollect.mcp.server import Context

# The suite tests capabilities that the newest protocol revision has deprecated.
warnings.simplefilter("ignore", MCPDeprecationWarning)


def fixture_application() -> ASGIApp:
    vitals = Vitals(is_open=True, is_initialized=True, waiting=0, last_error=None)
    worker = Worker(vitals=lambda: vitals, on_start=lambda: None)

    def no_lists(dialects: str) -> HttpDoor:
        if dialects != "fixture":
            raise UnknownDialect(f"unknown dialect: {dialects}")
        return HttpDoor(_server(), is_stateless=False)

    doors = Doors({"fixture"}, make=no_lists)
    return application(worker, doors, Rules(bound="127.0.0.1"), default="fixture")


def _server() -> Server[Any]:
    return Server(
        "recollect-fixture",
        version=__version__,
        on_list_tools=_list_tools,
        on_call_tool=_call_tool,
        on_list_resources=_list_resources,
        on_list_resource_templates=_list_templates,
        on_read_resource=_read_resource,
        on_subscribe_resource=_nothing,
        on_unsubscribe_resource=_nothing,
        on_list_prompts=_list_prompts,
        on_get_prompt=_get_prompt,
        on_completion=_complete,
        on_set_logging_level=_nothing,
    )


async def _list_tools(_: Context, __: object) -> types.ListToolsResult:
    return types.ListToolsResult(
        tools=[
            types.Tool(name=name, description=name, input_schema=SCHEMAS.get(name, ANYTHING))
            for name in TOOLS
        ]
    )


async def _call_tool(context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
    if params.name not in TOOLS:
        return types.CallToolResult(content=[text("unknown tool")], is_error=True)
    try:
        return types.CallToolResult(
            content=await TOOLS[params.name](context, params.arguments or {})
        )
    except ValueError as error:
        return types.CallToolResult(content=[text(str(error))], is_error=True)


async def _list_resources(_: Context, __: object) -> types.ListResourcesResult:
    named = {"static-text": "text/plain", "static-binary": "image/png"}
    return types.ListResourcesResult(
        resources=[
            types.Resource(uri=f"test://{name}", name=name, description=name, mime_type=kind)
            for name, kind in named.items()
        ]
    )


async def _list_templates(_: Context, __: object) -> types.ListResourceTemplatesResult:
    template = types.ResourceTemplate(
        uri_template="test://template/{id}/data", name="template", description="by id"
    )
    return types.ListResourceTemplatesResult(resource_templates=[template])


async def _read_resource(
    _: Context, params: types.ReadResourceRequestParams
) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[resource(str(params.uri))])


async def _list_prompts(_: Context, __: object) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=name,
                description=name,
                arguments=[types.PromptArgument(name=n, required=True) for n in arguments],
            )
            for name, arguments in PROMPTS.items()
        ]
    )


async def _get_prompt(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
    contents = prompt(params.name, dict(params.arguments or {}))
    messages = [types.PromptMessage(role="user", content=content) for content in contents]
    return types.GetPromptResult(messages=messages)


async def _complete(_: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    words = [word for word in ("paris", "park") if word.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=words))


async def _nothing(_: Context, __: object) -> types.EmptyResult:
    return types.EmptyResult()
