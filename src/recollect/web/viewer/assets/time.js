// Times as people say them. Everything comes in milliseconds since 1970 and is shown in the
// reader's own zone and language.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const exact = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const dated = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const whole = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "medium" });
const numbers = new Intl.NumberFormat("en");

// "3 min. ago", "yesterday", "4 Mar 2026".
export function ago(at, now = Date.now()) {
  const past = now - at;
  if (Math.abs(past) < MINUTE) return "just now";
  if (Math.abs(past) < HOUR) return relative.format(-Math.trunc(past / MINUTE), "minute");
  if (Math.abs(past) < DAY / 2) return relative.format(-Math.trunc(past / HOUR), "hour");
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0) return relative.format(-Math.trunc(past / HOUR), "hour");
  return Math.abs(days) < 7 ? relative.format(-days, "day") : dated.format(at);
}

// An address may say anything.
export const isMoment = (at) => !Number.isNaN(new Date(at).getTime());

const midnight = (at) => new Date(at).setHours(0, 0, 0, 0);

// "14:05".
export const clockTime = (at) => clock.format(at);

// "14:05:09", on another day "Mon 2 Mar 14:05".
export function secondly(at, now = Date.now()) {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? exact.format(at) : `${dayName(at, now)} ${clock.format(at)}`;
}

// "Today", "Mon 2 Mar", with the year where it is another one.
export function dayName(at, now = Date.now()) {
  if (!isMoment(at)) return String(at);
  const days = Math.round((midnight(now) - midnight(at)) / DAY);
  if (days === 0) return "Today";
  if (days === 1) return "Yesterday";
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return isThisYear ? day.format(at) : dated.format(at);
}

// The moment in full, for whoever asks.
export const fully = (at) => (isMoment(at) ? whole.format(at) : String(at));

// "840 ms", "3.2 s", "4 min", "2 h 5 min".
export function lasting(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < HOUR) return `${Math.round(ms / MINUTE)} min`;
  const minutes = Math.round(ms / MINUTE);
  const rest = minutes % 60;
  return rest ? `${Math.trunc(minutes / 60)} h ${rest} min` : `${minutes / 60} h`;
}

// "12,345".
export const count = (number) => numbers.format(number);

// "1 memory", "1,200 memories".
export function counted(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}

// "4.2 MB".
export function bytes(size) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let left = size;
  while (left >= 1000 && unit < units.length - 1) {
    left /= 1000;
    unit += 1;
  }
  return `${unit && left < 10 ? left.toFixed(1) : Math.round(left)} ${units[unit]}`;
}

// A day as a date field has it ("2026-03-02") → its first or last millisecond; null if it is none.
export function startOfDay(text) {
  const at = new Date(`${text}T00:00:00`).getTime();
  return Number.isNaN(at) ? null : at;
}

export function endOfDay(text) {
  const at = new Date(`${text}T23:59:59.999`).getTime();
  return Number.isNaN(at) ? null : at;
}

// The other way: a moment as a date field has it, in the reader's zone.
export function fieldDay(at) {
  const moment = new Date(Number(at));
  if (Number.isNaN(moment.getTime())) return "";
  const two = (number) => String(number).padStart(2, "0");
  const year = String(moment.getFullYear()).padStart(4, "0");
  return `${year}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}
