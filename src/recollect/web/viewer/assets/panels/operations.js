// The operations panel: how the worker has been doing. This file lays it out and asks the worker
// again when something may have changed; what each part shows is in ops/.

import { isAborted } from "../api.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { counted } from "../time.js";
import { trendAsked } from "./ops/asked.js";
import { filters } from "./ops/filters.js";
import { failures, searches, timings } from "./ops/lists.js";
import { queue } from "./ops/queue.js";
import { indexHealth, modelCounters, storeHealth, storage } from "./ops/store.js";
import { stream } from "./ops/stream.js";
import { trends } from "./ops/trends.js";

const EVERY = 5000; // milliseconds between two looks, while somebody looks
const WHOLE_EVERY = 60_000; // what takes longer to count, and changes less
const AFTER_NEWS = 800; // and after an event, when more may be coming

export const panel = {
  id: "operations",
  title: "Operations",
  key: "6",
  mount,
};

function mount(root, context) {
  const { api, live, toast } = context;
  const go = context.go;
  const state = () => context.state;
  const retry = retrying(context, () => refresh());
  const queued = queue({ live, api, retry });
  const filter = filters({ state, go });
  const trend = trends({ go, href: context.href, announce: context.announce });
  const found = searches({ href: context.href });
  const timed = timings({ go });
  const failed = failures({ go, retry, onClasses: filter.classes });
  const lists = [found, timed, failed];
  const events = stream(live);
  const index = indexHealth();
  const store = storeHealth();
  const model = modelCounters({ reset });
  const space = storage({ go, href: context.href });
  const again = h("button", { class: "button", type: "button", title: "Refresh (r)",
    onclick: () => refresh({ isWhole: true }) }, icon("refresh"), "Refresh");
  let asking = null;
  let timer = 0;
  let soon = 0;
  let wholeAt = 0;
  let isOver = false;

  root.append(h("div", { class: "page ops" },
    h("header", { class: "panel-head" }, h("h1", null, "Operations"),
      h("span", { class: "soft" }, "How the worker has been doing"),
      h("div", { class: "ops-beside" }, again)),
    queued.element, filter.element,
    grid([trend], [found, failed], [timed, events], [index], [store, model], [space])));
  for (const list of lists) list.onMore(() => refresh());

  // All of it is asked at once, and what is not there says so in its own place.
  async function refresh({ isWhole = false } = {}) {
    clearTimeout(timer);
    clearTimeout(soon);
    soon = 0;
    asking?.abort();
    asking = new AbortController();
    const { signal } = asking;
    const now = Date.now();
    const then = state();
    const get = (path, query) => api.get(path, query, { signal });
    const overview = isWhole ? context.overview({ isFresh: wholeAt > 0 }) : null;
    if (isWhole) wholeAt = now;
    const rest = isWhole ? [
      shown(index, async () => index.refresh(await get("/api/ops/index-status"), await quietly(overview))),
      shown(store, async () => store.refresh(await overview)),
      shown(space, async () => space.refresh(await overview)),
      shown(queued, () => queued.refresh()),
      shown(trend, async () => filter.projects((await get("/api/projects")).projects)),
    ] : [];
    await Promise.all([
      shown(trend, async () => trend.refresh(
        await get("/api/ops/trends", trendAsked(then, now).query), then, now)),
      shown(model, async () => model.refresh(await get("/api/ops/agent-metrics"))),
      ...lists.map((list) => shown(list, async () => {
        list.refresh(await get(list.path, list.query(then)), then);
      })),
      ...rest,
    ]);
    if (signal.aborted || isOver) return;
    timer = setTimeout(later, EVERY);
  }

  // An overview that is not told leaves the rest as it is; its own card says why.
  const quietly = (asked) => asked.catch(() => null);

  async function shown(part, ask) {
    try {
      await ask();
      if (!isOver) part.problem?.(null);
    } catch (error) {
      if (!isAborted(error) && !isOver) part.problem?.(error.message);
    }
  }

  function later() {
    if (document.hidden) timer = setTimeout(later, EVERY);
    else refresh({ isWhole: Date.now() - wholeAt > WHOLE_EVERY });
  }

  async function reset() {
    try {
      await api.post("/api/ops/agent-metrics/reset");
      toast("The counters are at zero");
    } catch (error) {
      toast(error.message, { isProblem: true });
    }
    refresh({ isWhole: true });
  }

  const stops = [
    live.on("*", () => {
      soon ||= setTimeout(() => refresh(), AFTER_NEWS);
    }),
    live.onResume(() => refresh({ isWhole: true })),
  ];
  let isFirst = true;

  return {
    update(next) {
      filter.update(next);
      trend.update(next);
      for (const list of lists) list.update(next, api);
      refresh({ isWhole: isFirst });
      isFirst = false;
    },
    unmount() {
      isOver = true;
      asking?.abort();
      clearTimeout(timer);
      clearTimeout(soon);
      for (const stop of stops) stop();
      for (const part of [queued, trend, events, model]) part.destroy();
    },
    keys: {
      "/": () => filter.focus(),
      r: () => refresh({ isWhole: true }),
      p: () => events.pause(),
      Escape: () => leave(state(), go),
    },
    help: [["/", "filter"], ["r", "refresh"], ["p", "hold the event stream"],
      ["Esc", "out of the stretch, out of the zoom"],
      ["← / →", "along the chart, when it has the focus"], ["Enter", "look into that stretch"],
      ["+ / -", "closer, or further away"]],
  };
}

// Columns of cards, side by side where there is room.
function grid(...columns) {
  return h("div", { class: "ops-grid" }, columns.map((parts) => (parts.length === 1 ? parts[0].element
    : h("div", { class: "ops-column" }, parts.map(({ element }) => element)))));
}

// One step back: out of what is looked into, then out of what was zoomed.
function leave(state, go) {
  if (state.bucket) go({ bucket: null });
  else if (state.since || state.until) go({ since: null, until: null });
  else return false;
  return true;
}

function retrying({ api, toast }, done) {
  return async (session = null) => {
    try {
      const { retried } = await api.post("/api/ops/retry-failed",
        session === null ? {} : { sessionDbId: session });
      toast(retried ? `${counted(retried, "message")} will be tried again` : "Nothing waits for another try");
    } catch (error) {
      toast(error.message, { isProblem: true });
    }
    done();
  };
}
