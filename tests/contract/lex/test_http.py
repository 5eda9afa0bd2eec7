"""Frames over HTTP: who is let in, what is taken, how each problem is told."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from contract.world import NOW, HttpDoor, World
from promises import last, promise

KEY = "k3y-of-the-frames"
TOKEN = "t0ken-of-the-worker"
BEARER = {"Authorization": f"Bearer {KEY}"}
POLICY: dict[str, Any] = {
    "modules": {"services/auth": {}, "services/auth-core": {}, "lib/networking": {}}
}
FRAME: dict[str, Any] = {
    "reference_point": "auth handshake timeout",
    "summary_caption": "Fixed timeout in auth service",
    "module_scope": ["services/auth", "lib/networking"],
    "status_snapshot": {
        "next_action": "Deploy to staging",
        "blockers": ["Waiting for QA approval"],
    },
    "branch": "feature/auth-fix",
    "jira": "TICKET-123",
}
MINUTE = 60
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
GIF = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;"
MIB = 1024 * 1024

Start = Callable[..., httpx.Client]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Starts a worker with these variables, in a workspace with a policy."""
    running: list[tuple[HttpDoor, httpx.Client]] = []

    def started(**environ: str) -> httpx.Client:
        home = tmp_path_factory.mktemp("http")
        workspace = home / "code"
        (workspace / ".git").mkdir(parents=True)
        place = workspace / "policy/policy_spec/lexmap.policy.json"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps(POLICY), encoding="utf-8")
        world = World(home, NOW, environ={"RECOLLECT_EMBEDDER": "none", **environ})
        door = HttpDoor(world, cwd=str(workspace), dialect="lex")
        host, port = door.address
        client = httpx.Client(base_url=f"http://{host}:{port}", trust_env=False, timeout=30)
        running.append((door, client))
        return client

    yield started
    for door, client in running:
        client.close()
        door.close()


@pytest.fixture(scope="module")
def worker(start: Start) -> httpx.Client:
    client = start(LEX_API_KEY=KEY)
    client.headers.update(BEARER)
    return client


_numbers = iter(range(1, 10_000))


def frame(**changes: Any) -> dict[str, Any]:
    """A frame that was never sent before."""
    told = {**FRAME, "summary_caption": f"caption {next(_numbers)}", **changes}
    return {name: value for name, value in told.items() if value is not ...}


@promise("lex:http:created")
def test_a_frame_is_created_and_read_again(worker: httpx.Client) -> None:
    sent = frame(
        timestamp="2026-01-02T03:04:05.678Z",
        keywords=["auth"],
        feature_flags=["new"],
        permissions=["deploy"],
        runId="run-1",
        planHash="abc",
        spend={"prompts": 3, "tokens_estimated": 1200},
    )
    created = worker.post("/api/frames", json=sent)
    assert created.status_code == 201
    body = created.json()
    assert body == {"id": body["id"], "status": "created"}
    assert body["id"].startswith("frame-")
    assert worker.get(f"/api/frames/{body['id']}").json() == {
        **sent,
        "id": body["id"],
        "userId": "system-default",
    }


@promise("lex:http:created")
def test_branch_and_time_are_filled_in(worker: httpx.Client) -> None:
    sent = frame(branch=..., jira=...)
    found = worker.get(f"/api/frames/{worker.post('/api/frames', json=sent).json()['id']}").json()
    assert found["branch"] == "main"
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", found["timestamp"])


@promise("lex:http:created")
def test_an_id_of_ones_own_is_kept(worker: httpx.Client) -> None:
    sent = frame(id="frame-1699564800-abc123")
    assert worker.post("/api/frames", json=sent).json()["id"] == "frame-1699564800-abc123"
    again = worker.post("/api/frames", json=frame(id="frame-1699564800-abc123"))
    assert (again.status_code, again.json()["error"]) == (409, "CONFLICT")
    assert again.json()["existing_frame_id"] == "frame-1699564800-abc123"
    kept = worker.get("/api/frames/frame-1699564800-abc123").json()
    assert kept["summary_caption"] == sent["summary_caption"], "nothing is ever overwritten"


@promise("lex:http:read")
@pytest.mark.parametrize(
    "id_", ["team/7", "../../etc/shadow", "a b?c#d%2f&e", "7/images/1/x", "漢字"]
)
def test_whatever_letters_an_id_has_its_frame_is_read_again(worker: httpx.Client, id_: str) -> None:
    images = [{"data": base64.b64encode(PNG).decode()}]
    assert worker.post("/api/frames", json=frame(id=id_, images=images)).status_code == 201
    place = f"/api/frames/{quote(id_, safe='')}"
    assert worker.get(place).json()["id"] == id_
    assert worker.get(f"{place}/images/1").content == PNG
    assert httpx.get(str(worker.base_url) + place, trust_env=False).status_code == 401


REFUSED: list[tuple[dict[str, Any], str | None, str]] = [
    ({"reference_point": ...}, "reference_point", "missing"),
    ({"reference_point": ""}, "reference_point", "an empty text is as good as none"),
    ({"reference_point": "  "}, "reference_point", "and so is a blank one"),
    ({"reference_point": None}, "reference_point", "null is absent"),
    ({"reference_point": 7}, "reference_point", "a number is no text"),
    ({"reference_point": ["a"]}, "reference_point", "nor is a list"),
    ({"reference_point": "x" * 100_001}, "reference_point", "longer than a text may be"),
    ({"summary_caption": ...}, "summary_caption", "missing caption"),
    ({"summary_caption": {}}, "summary_caption", "an object is no text"),
    ({"module_scope": ...}, "module_scope", "missing scope"),
    ({"module_scope": []}, "module_scope", "an empty scope"),
    ({"module_scope": "services/auth"}, "module_scope", "a text is no list"),
    ({"module_scope": ["services/auth", 7]}, "module_scope", "a member that is no text"),
    ({"module_scope": [None]}, "module_scope", "a member that is nothing"),
    ({"module_scope": ["../../etc/passwd"]}, "module_scope", "a path instead of a module"),
    ({"module_scope": ["services/auth-kore"]}, "module_scope", "a module that is not there"),
    ({"status_snapshot": ...}, "status_snapshot", "missing status"),
    ({"status_snapshot": "fine"}, "status_snapshot", "a text is no status"),
    ({"status_snapshot": {}}, "status_snapshot", "a status without a next action"),
    ({"status_snapshot": {"next_action": " "}}, "status_snapshot", "a blank next action"),
    (
        {"status_snapshot": {"next_action": "a", "blockers": [1]}},
        *("status_snapshot", "a blocker that is no text"),
    ),
    ({"branch": 1}, "branch", "a branch that is no text"),
    ({"jira": []}, "jira", "a ticket that is no text"),
    ({"keywords": "auth"}, "keywords", "keywords that are no list"),
    ({"keywords": [True]}, "keywords", "a keyword that is no text"),
    ({"timestamp": "yesterday"}, "timestamp", "a time that is none"),
    ({"timestamp": 1699564800}, "timestamp", "a number is no time"),
    ({"timestamp": "2026-13-45T99:99:99Z"}, "timestamp", "a date that is not in any calendar"),
    ({"timestamp": "0001-01-01T00:00:00+14:00"}, "timestamp", "a time before the calendar"),
    ({"timestamp": "9999-12-31T23:59:59-14:00"}, "timestamp", "a time after the calendar"),
    ({"spend": {"tokens_estimated": 10**30}}, "spend", "a number that no program can hold"),
    ({"spend": {"prompts": True}}, "spend", "a truth that is no number"),
    ({"id": 7}, "id", "an id that is no text"),
    ({"id": "x" * 201}, "id", "an id that is too long"),
    ({"id": " frame-1"}, "id", "an id with blanks around it"),
    ({"feature_flags": {}}, "feature_flags", "flags that are no list"),
    ({"spend": 7}, "spend", "a spend that is no object"),
    ({"spend": {"prompts": -1}}, "spend", "a spend below nothing"),
    ({"spend": {"prompts": "7"}}, "spend", "a spend that is no number"),
    ({"images": {}}, "images", "images that are no list"),
    ({"images": [{"mime_type": "image/png"}]}, "images", "an image without data"),
    ({"images": [{"data": "%%%"}]}, "images", "an image that is no base64"),
    ({"images": [{"data": "aGVsbG8="}]}, "images", "an image that is none"),
    (
        {"reference_point": ..., "summary_caption": ..., "module_scope": 1},
        *("reference_point", "the first of several, in the published order"),
    ),
    (
        {"status_snapshot": ..., "module_scope": ["nope"]},
        *("status_snapshot", "what is missing comes before modules that are not there"),
    ),
    ({"module_scope": [], "status_snapshot": ...}, "module_scope", "the scope before the status"),
]


@promise("lex:http:refused")
@pytest.mark.parametrize(("changes", "field", "because"), REFUSED, ids=last)
def test_what_is_wrong_is_named(
    worker: httpx.Client, changes: dict[str, Any], field: str, because: str
) -> None:
    before = worker.get("/api/frames").json()["total"]
    answered = worker.post("/api/frames", json=frame(**changes))
    assert answered.status_code == 400, answered.text
    body = answered.json()
    assert (body["error"], body["code"], body["field"]) == ("VALIDATION_FAILED", 400, field)
    assert body["message"]
    assert worker.get("/api/frames").json()["total"] == before, "nothing was kept of it"


BODIES: list[tuple[bytes, str]] = [
    (b"", "no body at all"),
    (b"{", "cut off"),
    (b"[1]", "a list"),
    (b"null", "nothing"),
    (b'"text"', "a text"),
    (b"\xff\xfe{}", "not UTF-8"),
    (b'{"reference_point": NaN}', "no number of JSON"),
    (b"[" * 100_000, "nested without end"),
]


@promise("lex:http:refused")
@pytest.mark.parametrize(("content", "because"), BODIES, ids=last)
def test_a_body_that_is_no_frame_is_refused_as_json(
    worker: httpx.Client, content: bytes, because: str
) -> None:
    answered = worker.post("/api/frames", content=content)
    assert (answered.status_code, answered.json()["error"]) == (400, "VALIDATION_FAILED")
    assert answered.json()["code"] == 400


@promise("lex:http:modules")
def test_the_module_rule_holds_here_too(worker: httpx.Client) -> None:
    body = worker.post("/api/frames", json=frame(module_scope=["servcies/auth-core"])).json()
    assert body["field"] == "module_scope"
    assert "Invalid module IDs: servcies/auth-core" in body["message"]
    assert "Did you mean: services/auth-core" in body["message"]
    assert body["metadata"]["suggestions"][0] == "services/auth-core"


TWINS: list[tuple[dict[str, Any], int, str]] = [
    ({}, 409, "the same"),
    ({"branch": "other", "jira": "X-1", "keywords": ["k"]}, 409, "what is not hashed may differ"),
    ({"module_scope": ["lib/networking", "services/auth"]}, 409, "the order of modules is nothing"),
    ({"id": "frame-mine-{n}"}, 409, "an id of its own makes no other frame"),
    ({"timestamp": "2026-03-04T10:04:59.999Z"}, 409, "the last moment of the five minutes"),
    ({"timestamp": "2026-03-04T10:05:00Z"}, 201, "buckets are fixed: a second later is another"),
    ({"timestamp": "2026-03-04T09:59:59.999Z"}, 201, "a millisecond before is another"),
    ({"timestamp": "2026-03-04T11:04:00+01:00"}, 409, "the same moment in another zone"),
    ({"status_snapshot": {"next_action": "other"}}, 201, "another next action"),
    ({"reference_point": "other"}, 201, "another reference point"),
]


@promise("lex:http:duplicate")
@pytest.mark.parametrize(("changes", "status", "because"), TWINS, ids=last)
def test_the_same_content_within_five_minutes_is_kept_once(
    worker: httpx.Client, changes: dict[str, Any], status: int, because: str
) -> None:
    sent = frame(timestamp="2026-03-04T10:00:00Z")
    first = worker.post("/api/frames", json=sent).json()["id"]
    told = {
        name: value.format(n=first) if name == "id" else value for name, value in changes.items()
    }
    again = worker.post("/api/frames", json={**sent, **told})
    assert again.status_code == status
    if status == 409:
        body = again.json()
        assert (body["error"], body["code"]) == ("CONFLICT", 409)
        assert "already exists" in body["message"]
        assert body["existing_frame_id"] == first


@promise("lex:http:duplicate")
def test_the_order_of_the_modules_is_kept(worker: httpx.Client) -> None:
    id_ = worker.post("/api/frames", json=frame()).json()["id"]
    assert worker.get(f"/api/frames/{id_}").json()["module_scope"] == FRAME["module_scope"]


@promise("lex:http:at-once")
def test_of_two_hundred_at_once_one_is_kept(worker: httpx.Client) -> None:
    sent = frame(timestamp="2026-05-05T05:05:05Z")
    with ThreadPoolExecutor(32) as crowd:
        answers = list(crowd.map(lambda _: worker.post("/api/frames", json=sent), range(200)))
    assert sorted(each.status_code for each in answers) == [201, *[409] * 199]
    (created,) = [each.json()["id"] for each in answers if each.status_code == 201]
    assert {each.json().get("existing_frame_id") for each in answers} == {None, created}


KEYS: list[tuple[str | None, int, str]] = [
    (f"Bearer {KEY}", 200, "the key"),
    (f"bearer  {KEY}", 200, "schemes have no case, and blanks no meaning"),
    (None, 401, "no header"),
    (KEY, 401, "a raw key"),
    ("Bearer", 401, "a scheme alone"),
    (f"Bearer {KEY}x", 401, "a key with something behind it"),
    (f"Bearer x{KEY}", 401, "a key with something before it"),
    (f"Bearer {KEY[:-1]}", 401, "a part of the key"),
    (f"Bearer {KEY.upper()}", 401, "keys have a case"),
    (f"Basic {KEY}", 401, "another scheme"),
    (f"Bearer {KEY}, Bearer {KEY}", 401, "twice"),
]
PATHS = ["/api/frames", "/api/frames/frame-1", "/api/frames/frame-1/images/1"]


@promise("lex:http:key")
@pytest.mark.parametrize(("given", "status", "because"), KEYS, ids=last)
def test_only_the_key_lets_in(
    worker: httpx.Client, given: str | None, status: int, because: str
) -> None:
    headers = {} if given is None else {"Authorization": given}
    with httpx.Client(base_url=worker.base_url, trust_env=False) as client:
        for path in PATHS:
            answered = client.get(path, headers=headers)
            assert (answered.status_code == 401) == (status == 401)
            if status == 401:
                body = answered.json()
                assert (body["error"], body["code"]) == ("UNAUTHORIZED", 401)
                assert answered.headers["www-authenticate"] == "Bearer"
        # Who has no key is not told what is wrong with the body either.
        sent = client.post("/api/frames", content=b"{", headers=headers)
        assert sent.status_code == (401 if status == 401 else 400)


@promise("lex:http:key")
def test_missing_and_wrong_keys_are_told_apart(worker: httpx.Client) -> None:
    with httpx.Client(base_url=worker.base_url, trust_env=False) as client:
        missing = client.get("/api/frames").json()["message"]
        wrong = client.get("/api/frames", headers={"Authorization": "Bearer no"}).json()["message"]
    assert "Missing Authorization header" in missing
    assert "Invalid" in wrong
    assert KEY not in missing + wrong


@promise("lex:http:health")
def test_health_needs_nothing(start: Start, worker: httpx.Client) -> None:
    for client in (worker, start(RECOLLECT_TOKEN=TOKEN)):
        with httpx.Client(base_url=client.base_url, trust_env=False) as bare:
            answered = bare.get("/health")
            assert (answered.status_code, answered.json()) == (200, {"status": "ok"})


@promise("lex:http:token")
def test_with_a_token_the_key_opens_frames_and_nothing_else(start: Start) -> None:
    client = start(LEX_API_KEY=KEY, RECOLLECT_TOKEN=TOKEN)
    for key, frames, others in ((KEY, 200, 401), (TOKEN, 200, 200), ("no", 401, 401)):
        headers = {"Authorization": f"Bearer {key}"}
        assert client.get("/api/frames", headers=headers).status_code == frames
        assert client.get("/api/stats", headers=headers).status_code == others
        beside = client.get("/api/framesome", headers=headers)
        assert beside.status_code == (404 if others == 200 else 401)


@promise("lex:http:no-key")
def test_without_a_configured_key_it_is_said_how_to_set_one(start: Start) -> None:
    client = start(RECOLLECT_RATE_LIMIT="5/15m")
    for headers in ({}, BEARER, {"Authorization": "Bearer"}, {"Authorization": "Bearer None"}):
        answered = client.post("/api/frames", json=FRAME, headers=headers)
        assert answered.status_code == 401
        assert "LEX_API_KEY" in answered.json()["message"]


@promise("lex:http:rate")
def test_a_rate_is_told_and_held(start: Start) -> None:
    client = start(LEX_API_KEY=KEY, RECOLLECT_RATE_LIMIT="4/15m")
    answers = [
        client.post("/api/frames", json=frame(), headers=BEARER),
        client.post("/api/frames", json={}, headers=BEARER),
        client.get("/api/frames"),
        client.get("/api/frames", headers=BEARER),
        client.get("/api/frames", headers=BEARER),
        client.post("/api/frames", content=b"{"),
    ]
    assert [each.status_code for each in answers] == [201, 400, 401, 200, 429, 429]
    assert [each.headers["ratelimit-remaining"] for each in answers] == list("321000")
    for each in answers:
        assert each.headers["ratelimit-limit"] == "4"
        assert each.headers["ratelimit-policy"] == "4;w=900"
        assert 0 < int(each.headers["ratelimit-reset"]) <= 900
    refused = answers[4]
    assert 0 < int(refused.headers["retry-after"]) <= 225
    body = refused.json()
    assert (body["error"], body["code"]) == ("RATE_LIMIT_EXCEEDED", 429)
    assert client.get("/health").status_code == 200, "health does not count"


@promise("lex:http:rate")
def test_by_default_there_is_no_rate(worker: httpx.Client) -> None:
    assert "ratelimit-limit" not in worker.get("/api/frames").headers


@promise("lex:http:list")
def test_frames_are_listed_newest_first_page_by_page(worker: httpx.Client) -> None:
    mine = frame()["summary_caption"]
    days = [f"2031-01-0{day}T00:00:00Z" for day in range(1, 6)]
    for day in days:
        sent = frame(branch=mine, timestamp=day, module_scope=["lib/networking"])
        assert worker.post("/api/frames", json=sent).status_code == 201

    def page(**asked: Any) -> tuple[list[str], int, bool]:
        told = worker.get("/api/frames", params={"branch": mine, **asked}).json()
        return [each["timestamp"][:10] for each in told["frames"]], told["total"], told["hasMore"]

    newest = [day[:10] for day in reversed(days)]
    assert page() == (newest, 5, False)
    assert page(limit=2) == (newest[:2], 5, True)
    assert page(limit=2, offset=2) == (newest[2:4], 5, True)
    assert page(limit=2, offset=4) == (newest[4:], 5, False)
    assert page(offset=99) == ([], 5, False)
    assert page(limit=0) == (newest[:1], 5, True), "held to the range"
    assert page(since="2031-01-04T00:00:00Z") == (newest[:2], 2, False), "the moment included"
    assert page(module="lib/networking", limit=1) == (newest[:1], 5, True)
    assert page(module="services/auth") == ([], 0, False)
    assert page(module="networking") == ([], 0, False), "exactly"
    assert page(project="default") == (newest, 5, False)


WRONG_LISTS = [("limit", "many"), ("limit", "1.5"), ("offset", "x"), ("since", "yesterday")]


@promise("lex:http:list")
@pytest.mark.parametrize(("name", "value"), WRONG_LISTS)
def test_a_wrong_parameter_is_named(worker: httpx.Client, name: str, value: str) -> None:
    answered = worker.get("/api/frames", params={name: value})
    assert (answered.status_code, answered.json()["field"]) == (400, name)


@promise("lex:http:read")
@pytest.mark.parametrize(
    "id_", ["frame-none", "..%2F..%2Fetc%2Fpasswd", "%00", "x" * 3000, "%F0%9F%90%BC", "mem_1"]
)
def test_a_frame_that_is_not_there_is_404(worker: httpx.Client, id_: str) -> None:
    answered = worker.get(f"/api/frames/{id_}")
    assert answered.status_code == 404
    assert answered.headers["content-type"].startswith("application/json")


IMAGES = [
    ("image/png", "png", PNG),
    ("image/gif", "gif", GIF),
    ("image/svg+xml", "svg", SVG),
]


@promise("lex:http:images")
def test_images_come_back_byte_for_byte_and_never_as_a_page(worker: httpx.Client) -> None:
    sent = frame(
        images=[
            {"data": base64.b64encode(data).decode(), "mime_type": "image/webp"}
            for _, _, data in IMAGES
        ]
    )
    id_ = worker.post("/api/frames", json=sent).json()["id"]
    for number, (kind, extension, data) in enumerate(IMAGES, 1):
        found = worker.get(f"/api/frames/{id_}/images/{number}")
        assert (found.status_code, found.content) == (200, data)
        assert found.headers["content-type"] == kind, "the content decides, not the label"
        assert found.headers["content-disposition"] == (
            f'attachment; filename="image-{number}.{extension}"'
        )
        assert found.headers["x-content-type-options"] == "nosniff"
        policy = found.headers["content-security-policy"]
        assert "sandbox" in policy
        assert "default-src 'none'" in policy
    for wrong, status in (("4", 404), ("0", 400), ("-1", 400), ("x", 400), ("9" * 30, 400)):
        assert worker.get(f"/api/frames/{id_}/images/{wrong}").status_code == status


@promise("lex:http:images")
def test_ten_mebibytes_are_an_image_and_a_byte_more_is_none(worker: httpx.Client) -> None:
    def sent(size: int) -> httpx.Response:
        data = PNG + bytes(size - len(PNG))
        body = frame(images=[{"data": base64.b64encode(data).decode(), "mime_type": "image/png"}])
        return worker.post("/api/frames", json=body)

    kept = sent(10 * MIB)
    assert kept.status_code == 201
    assert len(worker.get(f"/api/frames/{kept.json()['id']}/images/1").content) == 10 * MIB
    refused = sent(10 * MIB + 1)
    assert (refused.status_code, refused.json()["field"]) == (400, "images")


@promise("lex:http:size")
def test_a_body_above_sixteen_mebibytes_is_refused(worker: httpx.Client) -> None:
    answered = worker.post("/api/frames", content=b'{"x":"' + b"x" * (16 * MIB) + b'"}')
    assert answered.status_code == 413
    assert answered.headers["content-type"].startswith("application/json")


@promise("lex:http:private")
def test_what_is_private_is_not_kept(worker: httpx.Client) -> None:
    secret = "ghp_" + "Ab1" * 12
    sent = frame(
        reference_point=f"the lock <private>of {secret}</private>",
        summary_caption=f"token {secret} {next(_numbers)}",
        keywords=[secret],
        feature_flags=[f"flag-{secret}"],
        runId=secret,
        status_snapshot={"next_action": f"revoke {secret}", "blockers": [f"leak {secret}"]},
    )
    id_ = worker.post("/api/frames", json=sent).json()["id"]
    text = worker.get(f"/api/frames/{id_}").text
    assert secret not in text
    assert "the lock" in text
    nothing = worker.post("/api/frames", json=frame(reference_point="<private>all</private>"))
    assert (nothing.status_code, nothing.json()["field"]) == (400, "reference_point")


@promise("lex:http:json")
def test_whatever_goes_wrong_is_json(worker: httpx.Client) -> None:
    for method, path, status in (
        ("DELETE", "/api/frames", 405),
        ("PUT", "/api/frames/frame-1", 405),
        ("POST", "/api/frames/frame-1/images/1", 405),
        ("GET", "/api/frames/", 404),
        ("GET", "/api/frames/a/b", 404),
    ):
        answered = worker.request(method, path)
        assert answered.status_code == status
        assert answered.headers["content-type"].startswith("application/json")
        assert answered.json()["error"]


@promise("lex:http:policy")
def test_a_named_policy_that_is_missing_is_the_owners_problem(start: Start, tmp_path: Path) -> None:
    client = start(LEX_API_KEY=KEY, LEX_POLICY_PATH=str(tmp_path / "none.json"))
    answered = client.post("/api/frames", json=FRAME, headers=BEARER)
    body = answered.json()
    assert (answered.status_code, body["error"], body["code"]) == (500, "INTERNAL_ERROR", 500)
    assert "none.json" in body["message"]
