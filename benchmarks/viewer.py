"""The viewer in a real browser at 100,000 memories: how soon something is to be seen, and read.

A page is opened as a person opens it, in a window of its own whose files are cached. It counts how
long after its load event the first result is there, and how long after the start of the navigation.
Beside it, in turns: the same page over a store of a hundred memories, and what the worker's answer
to the same question takes without a browser.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.home import Home, model_here, throwaway
from benchmarks.report import Report, run
from benchmarks.sampling import Sample, interleaved, milliseconds
from benchmarks.scale.meanings import World
from benchmarks.scale.stored import add, batches
from benchmarks.scale.texts import Text, queries
from benchmarks.workers import worker
from recollect import wiring
from recollect.search.meaning import TEXT
from recollect.store.port.vectors import Made
from recollect.worker.address import find_address

SIZE = 100_000
SMALL = 100
ROUNDS = 20
BUDGET = 120.0
ROW = ".virtual-row"
GOAL_MS = 200.0
"""From load to the first result."""
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
NAMES = ("chromium", "chromium-browser", "google-chrome")
SEEN = """
(() => {
    window.seenAt = null;
    const look = () => {
        if (window.seenAt !== null) return;
        const found = document.querySelector(%s);
        if (found && found.offsetHeight) requestAnimationFrame(() => {
            window.seenAt ??= performance.now();
        });
    };
    new MutationObserver(look).observe(document, { childList: true, subtree: true });
})();
"""
"""In each page before its own scripts: when the first thing that was waited for is drawn."""
TIMES = """
new Promise((resolve) => {
    const look = () => window.seenAt === null ? requestAnimationFrame(look)
        : resolve([window.seenAt, performance.getEntriesByType("navigation")[0].loadEventEnd]);
    look();
})
"""
"""When it was, and when the page was loaded."""


SCROLLED = """
new Promise((resolve) => {
    const list = document.querySelector(".virtual");
    const times = [];
    let before = performance.now();
    const step = () => {
        const now = performance.now();
        times.push(now - before);
        before = now;
        list.scrollTop += 400;
        if (times.length < 240) requestAnimationFrame(step);
        else resolve([times.sort((a, b) => a - b), document.querySelectorAll(".virtual-row").length,
            list.scrollTop]);
    };
    requestAnimationFrame(step);
})
"""
"""Frame by frame through the list: how long each took, and how many rows there are at the end."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A page by its address, what it asks the worker, and what is waited for."""

    name: str
    state: dict[str, str]
    asked: str
    seen: str = ROW


def measure(report: Report, args: argparse.Namespace) -> None:
    found = [path for name in NAMES if (path := shutil.which(name))]
    if not found:
        raise SystemExit("there is no Chromium here; on Debian: apt install chromium")
    with (
        _store(args.size) as (large, text),
        _store(SMALL) as (small, _),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=found[0], args=FLAGS)
        for scene in _scenes(text):
            _time(report, browser, scene, large, small)
        _scroll(report, browser, large)
        browser.close()
    report.notes.append(
        f"goal: the first result within {GOAL_MS:g} ms after the load event, at {SIZE:,} memories; "
        "vectors lie as those of texts do, and the model reads the question"
    )


def _scenes(text: str) -> list[Scene]:
    memories = "/api/viewer/memories"
    return [
        Scene("the newest memories", {"view": "memory"}, f"{memories}?limit=50"),
        Scene(
            "a search",
            {"view": "memory", "q": text},
            f"{memories}?{urlencode({'q': text})}&limit=50",
        ),
        Scene("operations", {"view": "operations"}, "/api/ops/trends", ".chart canvas"),
        Scene(
            "storage by project",
            {"view": "operations"},
            "/api/viewer/overview",
            ".ops-storage tbody tr",
        ),
    ]


@contextlib.contextmanager
def _store(size: int) -> Iterator[tuple[int, str]]:
    """A worker's port, and a question of three words that its store has an answer for."""
    with throwaway(**model_here()) as home:
        text = _fill(home, size)
        with worker(home):
            address = find_address(home.settings.worker_file)
            assert address is not None, "it has said where it listens"
            yield address[1], text


def _fill(home: Home, size: int) -> str:
    house = wiring.open_house(home.settings)
    store, embedder = house.store, house.chosen().embedder
    rows = chain.from_iterable(World(size).rows())
    held: list[Text] = []
    for batch in batches(1, size, now=house.clock()):
        held += batch[::50]
        memories = add(store, batch)
        if embedder is None:
            continue
        with store.transaction():
            model = store.vectors.model_id(embedder.name, embedder.dimension)
            made = [Made(each.id, each.updated_at, next(rows).tobytes()) for each in memories]
            store.vectors.put(model, TEXT, made)
    house.close()
    return (queries(held, 3, "middling", 1, seed="viewer") or [held[0].text])[0]


def _time(report: Report, browser: Browser, scene: Scene, large: int, small: int) -> None:
    pages = {port: _page(browser, scene) for port in (large, small)}
    after: dict[int, Sample] = {large: Sample(), small: Sample()}

    def opened(port: int) -> None:
        page = pages[port]
        page.goto(f"http://127.0.0.1:{port}/viewer?{urlencode(scene.state)}")
        seen, load = page.evaluate(TIMES)
        after[port].seconds.append((seen - load) / 1000)

    samples = interleaved(
        {
            "page": lambda: opened(large),
            "small": lambda: opened(small),
            "answer": lambda: _answer(large, scene.asked),
        },
        ROUNDS,
        budget=BUDGET,
    )
    for page in pages.values():
        page.context.close()
    p95 = milliseconds(after[large].percentile(95))
    report.add(
        "the first result",
        {
            "scene": scene.name,
            "after_load_p50_ms": milliseconds(after[large].median),
            "after_load_p95_ms": p95,
            "small_store_p50_ms": milliseconds(after[small].median),
            "small_store_p95_ms": milliseconds(after[small].percentile(95)),
            "whole_p50_ms": milliseconds(samples["page"].median),
            "answer_alone_p50_ms": milliseconds(samples["answer"].median),
            "rounds": len(samples["page"]),
        },
    )
    if p95 > GOAL_MS and scene.seen == ROW:
        report.notes.append(f"missed: {scene.name} takes {p95:.0f} ms after load at the p95")


def _scroll(report: Report, browser: Browser, port: int) -> None:
    scene = Scene("scrolling", {"view": "memory"}, "")
    page = _page(browser, scene)
    page.goto(f"http://127.0.0.1:{port}/viewer")
    page.evaluate(TIMES)
    times, rows, reached = page.evaluate(SCROLLED)
    page.context.close()
    report.add(
        "scrolling, frame by frame",
        {
            "frames": len(times),
            "frame_p50_ms": round(times[len(times) // 2], 1),
            "frame_p95_ms": round(times[len(times) * 95 // 100], 1),
            "longest_ms": round(times[-1], 1),
            "pixels": round(reached),
            "rows_in_the_document": rows,
        },
    )


def _page(browser: Browser, scene: Scene) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(SEEN % json.dumps(scene.seen))
    return context.new_page()


def _answer(port: int, path: str) -> None:
    """Over a connection of its own: the worker ends one that is idle for long."""
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    client.request("GET", path)
    answered = client.getresponse()
    told = answered.read()
    client.close()
    if answered.status != 200:
        raise SystemExit(f"GET {path}: {answered.status} {told[:200]!r}")


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="viewer", description=__doc__)
    parser.add_argument("--size", type=int, default=SIZE, help=f"memories ({SIZE:,} by default)")
    return run("viewer", measure, argv, parser)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
