// What a reader can do to a memory. Everything can be taken back for a while; only when that is
// over is something deleted for good, also when the page is left before.

const AT = "/api/viewer/memories";
const UNDO_SECONDS = 10;

// What is about to be deleted for good: id → its notice. It outlives the panel that is shown.
const leaving = new Map();

function stays({ id }) {
  leaving.get(id)?.drop();
  leaving.delete(id);
}

// `onChanged(item)` is called with the memory as it is now, `onGone(item)` when it is to vanish,
// `onBack(item)` when it is wanted back.
export function changing({ api, toast }, { onChanged, onGone, onBack }) {
  const path = (item, what) => `${AT}/${item.id}${what ? `/${what}` : ""}`;

  async function tried(does, name) {
    try {
      return await does();
    } catch (error) {
      toast(`${name}: ${error.message}`, { isProblem: true, seconds: 8 });
      return null;
    }
  }

  async function changed(item, what, body, name) {
    const now = await tried(() => api.post(path(item, what), body), name);
    if (now) onChanged(now);
    return now;
  }

  // However it is restored: whoever wants it back does not want it deleted.
  async function restore(item) {
    const isLeaving = leaving.has(item.id);
    stays(item);
    const now = await changed(item, "restore", {}, "It could not be restored");
    if (now && isLeaving) onBack(now);
    return now;
  }

  return {
    restore,

    async pin(item, isPinned = !item.is_pinned) {
      const now = await changed(item, "pin", { pinned: isPinned }, "It could not be pinned");
      if (now) toast(isPinned ? "Pinned: it outlives every sweep" : "No longer pinned");
    },

    async edit(item, { text, title }) {
      const name = "It could not be changed";
      const now = await changed(item, "edit", { text, title }, name);
      if (!now) return null;
      const before = { text: item.text, title: item.title ?? "" };
      toast("Changed; what it said before is in its history", { action: "Undo",
        seconds: UNDO_SECONDS, onAction: () => changed(item, "edit", before, name) });
      return now;
    },

    async outdate(item, reason) {
      const body = reason ? { reason } : {};
      const now = await changed(item, "outdate", body, "It could not be marked");
      if (!now) return;
      toast("Marked as outdated: agents are told it no more",
        { action: "Undo", seconds: UNDO_SECONDS, onAction: () => restore(now) });
    },

    // Out of sight and out of every answer at once; gone for good when nobody wants it back.
    async remove(item) {
      if (leaving.has(item.id)) return;
      const was = item.is_outdated;
      if (!was) {
        const reason = { reason: "deleted in the viewer" };
        const done = await tried(() => api.post(path(item, "outdate"), reason),
          "It could not be deleted");
        if (!done) return;
      }
      onGone(item);
      leaving.set(item.id, toast("Deleted, for good in a moment", {
        action: "Undo",
        seconds: UNDO_SECONDS,
        async onAction() {
          stays(item);
          if (!was && !(await restore(item))) return;
          onBack(item);
        },
        onEnd() {
          leaving.delete(item.id);
          return tried(() => api.del(path(item), { keepalive: true }),
            "It could not be deleted for good, and is outdated now");
        },
      }));
    },
  };
}
