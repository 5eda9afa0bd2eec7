"""The routes that list what there is."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.dialect.desk import Desk
from recollect.dialect.spec import Request, Response, RouteHandler


def projects(desk: Desk, _: Request) -> Response:
    return Response(body={"projects": [*desk.store.listings.projects()]})


ROUTES: Mapping[str, RouteHandler] = {"GET /api/projects": projects}
