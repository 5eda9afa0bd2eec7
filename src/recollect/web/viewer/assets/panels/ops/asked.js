// What the operations panel is asked for, as the address has it, and what that means for each of the
// worker's routes. Moments may be written as milliseconds or as an ISO date.

import { only } from "../../state.js";
import { isMoment } from "../../time.js";

export const FILTERS = ["q", "project", "mode", "session", "class", "since", "until"];
export const WINDOWS = [[900, "15 min"], [3600, "1 h"], [21_600, "6 h"], [86_400, "24 h"]];
export const USUAL_WINDOW = 3600;

const LONGEST = 86_400; // seconds that the worker tells trends of
const SHORTEST = 60;
const WIDTHS = [10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]; // seconds in a bucket
const BUCKETS = 72; // about so many

// "1760000000000" or "2026-03-02T10:00" → milliseconds; null if it is neither.
export function moment(text) {
  if (!text) return null;
  const at = /^\d{11,}$/.test(text) ? Number(text) : Date.parse(text);
  return isMoment(at) ? at : null;
}

// The stretch that is looked into: [from, to], or null.
export function chosenStretch(state) {
  const [from, to] = (state.bucket ?? "").split("-").map(Number);
  return from > 0 && to > from && isMoment(to) ? [from, to] : null;
}

// From when to when trends are told, in buckets that begin at round times: what is counted does not
// wander from one to the next while time goes by.
export function trendAsked(state, now) {
  const width = (seconds) => WIDTHS.find((each) => seconds / each <= BUCKETS) ?? WIDTHS.at(-1);
  const until = Math.min(moment(state.until) ?? now, now);
  const usual = WINDOWS.find(([seconds]) => String(seconds) === state.window)?.[0] ?? USUAL_WINDOW;
  const wanted = (until - (moment(state.since) ?? until - usual * 1000)) / 1000;
  const seconds = Math.max(SHORTEST, Math.min(LONGEST, wanted));
  const bucket = width(seconds);
  const to = Math.ceil(until / (bucket * 1000)) * bucket;
  const windowSec = Math.min(LONGEST, Math.ceil(seconds / bucket) * bucket);
  return { query: { windowSec, bucketSec: bucket, to: to * 1000 }, isCut: wanted > LONGEST,
    range: [(to - windowSec) * 1000, to * 1000] };
}

export function traceQuery(state) {
  return { query: state.q, ...only(state, ["project", "mode"]), ...times(state) };
}

export function timingQuery(state) {
  return { sessionDbId: state.session, ...times(state) };
}

export function failureQuery(state) {
  return { sessionDbId: state.session, errorClass: state.class, ...times(state) };
}

// The lists are of the stretch that is looked into, as far as it is within the filter.
function times(state) {
  const [from, to] = chosenStretch(state) ?? [null, null];
  const since = moment(state.since);
  const until = moment(state.until);
  return {
    from: from === null ? since : Math.max(from, since ?? from),
    to: to === null ? until : Math.min(to - 1, until ?? to),
  };
}
