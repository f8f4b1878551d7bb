import { web, type WebLink } from "./web.js";

// JupyterLite's notebook page has a link between files lead to the bare file, in another tab. Here it leads to the page that shows the
// file, in the same tab, and to another tab where its reader asks for one.

/** Saves what is open before its page is left. */
type Save = () => Promise<unknown>;

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
  const files = new URL("files/", base).href;
  const ours = new Set<string>();
  const aim = (target: unknown): WebLink | undefined => {
    const link = (target as Partial<WebLink> | null)?.closest?.(".jp-Notebook a[href]");
    if (!link) return undefined;
    if (ours.has(link.href)) return link;
    if (!link.href.startsWith(files)) return undefined;
    const { pathname, hash } = new URL(link.href);
    const page = pageOf(decodeURIComponent(pathname.slice(new URL(files).pathname.length)));
    if (page === undefined) return undefined;
    link.href = new URL(page, base).href + hash;
    link.target = "_self";
    ours.add(link.href);
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
