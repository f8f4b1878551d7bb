// A line at the foot of the page that says in words what a reader would otherwise have to guess. Both applications show it, on a
// phone too; screen readers hear it.

interface Line {
  id: string;
  className: string;
  textContent: string | null;
  style: { cssText: string };
  hidden: boolean;
  onclick: (() => void) | null;
  setAttribute(name: string, value: string): void;
  append(...parts: (Line | string)[]): void;
  remove(): void;
}

const page = globalThis as unknown as {
  document: {
    body: Line;
    createElement(name: string): Line;
    getElementById(id: string): Line | null;
  };
  localStorage?: { getItem(key: string): string | null; setItem(key: string, value: string): void };
};

const place = "turnwise-notices";
const placeStyle =
  "position:fixed;right:0;bottom:0;z-index:900;max-width:min(100%,46em);display:flex;flex-direction:column;align-items:end";
const lineStyle =
  "display:flex;gap:.8em;align-items:center;margin:0 .5em .5em;padding:.35em .8em;border-radius:3px;" +
  "border:1px solid var(--jp-border-color1);background:var(--jp-layout-color1);color:var(--jp-ui-font-color1);" +
  "font:var(--jp-ui-font-size1)/1.4 var(--jp-ui-font-family);box-shadow:var(--jp-elevation-z2)";
const buttonStyle =
  "min-width:2.2em;min-height:2.2em;border:0;background:none;color:inherit;font:inherit;cursor:pointer";

/** Time that good news stays visible. */
const readMs = 4_000;

const element = (name: string, cssText: string, text = ""): Line => {
  const made = page.document.createElement(name);
  made.style.cssText = cssText;
  made.textContent = text;
  return made;
};

/** Container of the lines. */
function notices(): Line {
  const known = page.document.getElementById(place);
  if (known) return known;
  const made = element("div", placeStyle);
  made.id = place;
  made.setAttribute("role", "status");
  page.document.body.append(made);
  return made;
}

/** Lines by what they are about: a new one takes the place of the old. */
const shown = new Map<string, Line>();

function close(about: string): void {
  shown.get(about)?.remove();
  shown.delete(about);
}

function show(about: string, text: string, more?: string): Line {
  close(about);
  const line = element("div", lineStyle);
  line.append(element("span", "", text));
  if (more !== undefined) {
    const link = element("a", "color:var(--jp-content-link-color)", "What works here");
    link.setAttribute("href", more);
    link.setAttribute("target", "_blank");
    line.append(link);
  }
  const button = element("button", buttonStyle, "✕");
  button.setAttribute("aria-label", `Close: ${text}`);
  button.onclick = () => close(about);
  line.append(button);
  shown.set(about, line);
  notices().append(line);
  return line;
}

/** Says how far the types are; what is well does not stay. */
export function tellTypes(state: "loading" | "ready" | "failed", text: string): void {
  const line = show("types", text);
  if (state !== "ready") return;
  setTimeout(() => {
    if (shown.get("types") === line) close("types");
  }, readMs);
}

/** Says once in a browser what a page that shares no memory does otherwise. `site` is where the first page explains it. */
export function tellNotIsolated(site: string): void {
  const key = "turnwise-told-not-isolated";
  try {
    if (page.localStorage?.getItem(key)) return;
    page.localStorage?.setItem(key, "told");
  } catch {
    // A browser that keeps nothing hears it each time.
  }
  show(
    "isolation",
    "This page is not isolated: an interrupt takes a quarter of a second, and training has one thread.",
    `${site}#limits`,
  );
}
