// What cannot wait for modules: the reader's choice of light or dark, before the first paint; and
// which modules the view in the address is made of, so that they are fetched side by side and not
// one after the other. A unit test holds these lists against what the modules import.

(function early() {
  try {
    const chosen = localStorage.getItem("recollect.theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be forbidden; then the system decides.
  }

  const SHELL = "api door dom icons keep live overview state toast views";
  const LISTS = "pages rows score time virtual";
  const STORY = `${LISTS} story`;
  const VIEWS = {
    memory: `${LISTS} changes panels/detail panels/filters panels/parts`,
    sessions: `${STORY} panels/filehistory panels/session`,
    timeline: `${STORY} panels/strip`,
    frames: `${STORY} panels/atlas panels/frame panels/neighbourhood`,
    live: `${STORY} panels/next`,
    operations: "time charts panels/ops/asked panels/ops/filters panels/ops/lists panels/ops/queue "
      + "panels/ops/rows panels/ops/store panels/ops/stream panels/ops/trends",
  };

  const asked = new URLSearchParams(location.search).get("view");
  const view = Object.hasOwn(VIEWS, asked ?? "") ? asked : "memory";
  for (const name of `${SHELL} panels/${view} ${VIEWS[view]}`.split(" ")) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/viewer/assets/${name}.js`;
    document.head.append(link);
  }
})();
