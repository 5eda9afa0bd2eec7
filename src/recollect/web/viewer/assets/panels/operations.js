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
  const retry = retrying(context, () => refresh({ isWhole: true, isOther: true }));
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
    onclick: () => refresh({ isWhole: true, isOther: true }) }, icon("refresh"), "Refresh");
  const away = h("p", { class: "problem", role: "alert" });
  let asking = null;
  let isStale = false;
  let isWholeWanted = true;
  let wholeAt = 0;
  let timer = 0;
  let soon = 0;
  let isOver = false;

  root.append(h("div", { class: "page ops" },
    h("header", { class: "panel-head" }, h("h1", null, "Operations"),
      h("span", { class: "soft" }, "How the worker has been doing"),
      h("div", { class: "ops-beside" }, again)),
    away,
    queued.element, filter.element,
    grid([trend], [found, failed], [timed, events], [index], [store, model], [space])));
  for (const list of lists) list.onMore(() => refresh({ isOther: true }));

  // News wait until what is being asked is answered, or a busy worker would never be told of;
  // `isOther` says that something else is to be shown, and does not wait.
  async function refresh({ isWhole = false, isOther = false } = {}) {
    if (isOver) return;
    isWholeWanted ||= isWhole || Date.now() - wholeAt > WHOLE_EVERY;
    if (asking && !isOther) {
      isStale = true;
      return;
    }
    asking?.abort();
    clearTimeout(timer);
    const mine = new AbortController();
    const isAll = isWholeWanted;
    asking = mine;
    isStale = false;
    await ask(mine.signal, isAll);
    if (asking !== mine || isOver) return;
    asking = null;
    if (isAll) {
      isWholeWanted = false;
      wholeAt = Date.now();
    }
    timer = setTimeout(later, isStale ? AFTER_NEWS : EVERY);
  }

  // All of it at once; what is not answered says so in its own place.
  function ask(signal, isAll) {
    const now = Date.now();
    const then = state();
    const get = (path, query) => api.get(path, query, { signal });
    const overview = isAll ? context.overview({ isFresh: wholeAt > 0 }) : null;
    const rest = isAll ? [
      shown(index, async () => index.refresh(await get("/api/ops/index-status"), await quietly(overview))),
      shown(store, async () => store.refresh(await overview)),
      shown(space, async () => space.refresh(await overview)),
      shown(queued, () => queued.refresh()),
      shown(filter, async () => filter.projects((await get("/api/projects")).projects)),
    ] : [];
    return Promise.all([
      shown(trend, async () => trend.refresh(
        await get("/api/ops/trends", trendAsked(then, now).query), then, now)),
      shown(model, async () => model.refresh(await get("/api/ops/agent-metrics"))),
      ...lists.map((list) => shown(list, async () => {
        list.refresh(await get(list.path, list.query(then)), then);
      })),
      ...rest,
    ]);
  }

  // An overview that is not told leaves the rest as it is; its own card says why.
  const quietly = (asked) => asked.catch(() => null);

  async function shown(part, ask) {
    try {
      await ask();
      if (isOver) return;
      part.problem?.(null);
      away.textContent = "";
    } catch (error) {
      if (isAborted(error) || isOver) return;
      // A worker that is away is told of once, not in every place.
      if (error.status === 0) away.textContent = error.message;
      else if (part.problem) part.problem(error.message);
      else throw error;
    }
  }

  function later() {
    if (document.hidden) timer = setTimeout(later, EVERY);
    else refresh();
  }

  async function reset() {
    try {
      await api.post("/api/ops/agent-metrics/reset");
      toast("The counters are at zero");
    } catch (error) {
      toast(error.message, { isProblem: true });
    }
    refresh({ isOther: true });
  }

  const stops = [
    live.on("*", () => {
      soon ||= setTimeout(() => {
        soon = 0;
        refresh();
      }, AFTER_NEWS);
    }),
    live.onResume(() => refresh({ isWhole: true })),
  ];

  return {
    update(next) {
      filter.update(next);
      trend.update(next);
      for (const list of lists) list.update(next, api);
      refresh({ isOther: true });
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
      r: () => refresh({ isWhole: true, isOther: true }),
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
