import { web, type WebLink } from "./web.js";

// JupyterLite's notebook page opens a link between files in another tab, by way of the file browser. Here a link is one of the web: it
// leads to its page in the same tab, and to another tab where its reader asks for one.

/** Saves what is open before its page is left. */
type Save = () => Promise<unknown>;

/** The path that JupyterLab has found for a link between files, which it notes beside the link. */
function pathOf(link: WebLink): string | undefined {
  try {
    const noted = JSON.parse(link.getAttribute("data-commandlinker-args") ?? "null") as { path?: unknown };
    return typeof noted?.path === "string" ? noted.path : undefined;
  } catch {
    return undefined;
  }
}

/** The page of the site, below its address, that shows a file; undefined for a file that has none. */
export function pageOf(path: string): string | undefined {
  if (path.endsWith(".ipynb")) return `notebooks/index.html?path=${encodeURI(path)}`;
  // The build renders these, as kernel/site/reading.cjs says.
  if (/^docs\/.+\.md$|(^|\/)README\.md$/.test(path)) return `read/${encodeURI(path.slice(0, -3))}.html`;
  return undefined;
}

/** Has the links of a notebook's page lead to pages of this site. Lab has tabs of its own, and opens them there. */
export function followLinks(base: string, save: Save): void {
  if (!web.location.href.startsWith(new URL("notebooks/", base).href)) return;
  const aim = (target: unknown): WebLink | undefined => {
    const link = (target as Partial<WebLink> | null)?.closest?.("a[data-commandlinker-args]");
    if (!link) return undefined;
    const page = pageOf(pathOf(link) ?? "");
    if (page === undefined) return undefined;
    const { hash } = new URL(link.href, base);
    link.href = new URL(page, base).href + hash;
    link.target = "_self";
    return link;
  };
  // Before it is clicked: another button, a long touch and a menu take the address as it stands.
  for (const kind of ["pointerdown", "focusin", "contextmenu"] as const)
    web.document.addEventListener(kind, ({ target }) => void aim(target), true);
  const leave = (to: string): void => web.location.assign(to);
  web.document.addEventListener(
    "click",
    (event) => {
      const link = aim(event.target);
      if (!link) return;
      event.stopImmediatePropagation();
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      const { href } = link;
      void save().then(
        () => leave(href),
        () => leave(href),
      );
    },
    true,
  );
}
