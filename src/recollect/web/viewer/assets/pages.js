// A list that the worker gives page by page: `{ items, next, total, … }`. One question at a time;
// a newer one calls the older one back.

import { isAborted } from "./api.js";

const PAUSE = 2000; // milliseconds after a page that did not come, before it is asked for again

export function pages(api, path, { size = 60, key = (item) => item.id } = {}) {
  let question = null;
  let items = [];
  let next = null;
  let total = null;
  let asking = null;
  let isGrowing = false;
  let notBefore = 0;

  const asked = (more, signal) => api.get(path, { ...question, limit: size, ...more }, { signal });

  function fresh(given) {
    const known = new Set(items.map(key));
    return given.filter((item) => !known.has(key(item)));
  }

  return {
    get items() {
      return items;
    },
    get question() {
      return question;
    },
    get total() {
      return total;
    },
    get hasMore() {
      return next !== null;
    },
    // The first page; null when a newer question came before its answer.
    async ask(wanted) {
      asking?.abort();
      asking = new AbortController();
      const mine = asking;
      question = wanted;
      isGrowing = false;
      notBefore = 0;
      try {
        const page = await asked({}, mine.signal);
        if (mine !== asking) return null;
        items = page.items;
        next = page.next ?? null;
        total = page.total ?? null;
        return page;
      } catch (error) {
        if (isAborted(error) || mine !== asking) return null;
        items = [];
        next = null;
        total = null;
        throw error;
      }
    },
    // The next page; says whether there was one. What did not come can be asked for again.
    async more() {
      if (next === null || isGrowing || performance.now() < notBefore) return false;
      isGrowing = true;
      const mine = asking;
      try {
        const page = await asked({ cursor: next }, mine.signal);
        if (mine !== asking) return false;
        next = page.next ?? null;
        items = [...items, ...fresh(page.items)];
        return true;
      } catch {
        notBefore = performance.now() + PAUSE;
        return false;
      } finally {
        if (mine === asking) isGrowing = false;
      }
    },
    // What came since, on top of the rest; how many that are, or null when nothing is known.
    async news() {
      const mine = asking;
      if (question === null || isGrowing) return null;
      const page = await asked({}, mine.signal);
      if (mine !== asking || isGrowing) return null;
      const came = fresh(page.items);
      const now = new Map(page.items.map((item) => [key(item), item]));
      const newest = (item) => changed(item, now.get(key(item)));
      total = page.total ?? null;
      notBefore = 0;
      const isJoined = came.length < page.items.length;
      if (!isJoined) next = page.next ?? null; // there is a gap, or there was nothing: begin anew
      items = isJoined ? [...came, ...items.map(newest)] : page.items;
      return came.length;
    },
    put(item) {
      items = items.map((each) => (key(each) === key(item) ? item : each));
    },
    remove(id) {
      const left = items.filter((each) => key(each) !== id);
      if (total !== null) total -= items.length - left.length;
      items = left;
    },
    stop() {
      asking?.abort();
      asking = null;
    },
  };
}

// The newer of two, where there is one and it says anything else: what stays the same is not drawn
// anew under somebody's eyes.
export function changed(item, newer) {
  return newer && JSON.stringify(newer) !== JSON.stringify(item) ? newer : item;
}
