import { encoded, type Drive } from "./contents.js";
import { web, type WebLink } from "./web.js";

// JupyterLite's notebook page has a link between files lead to the bare file, in another tab. Here it leads to the page that shows the
// file, in the same tab, and to another tab where its reader asks for one.

/** Saves what is open before its page is left. */
type Save = () => Promise<unknown>;

/** The build renders these, as site/builder/reading.cjs says. */
const isRead = (path: string): boolean => /^docs\/.+\.md$|(^|\/)README\.md$/.test(path);

/**
 * The page of the site, below its address, that shows a file; undefined for a file that has none.
 *
 * @param isOwn whether the reader has made or changed the file: the site has rendered another text then, or none
 */
export function pageOf(path: string, isOwn: boolean): string | undefined {
  if (path.endsWith(".ipynb")) return `notebooks/index.html?path=${encoded(path)}`;
  if (!isRead(path)) return undefined;
  return isOwn ? `edit/index.html?path=${encoded(path)}` : `read/${encoded(path.slice(0, -3))}.html`;
}

/** The file that an address stands for which JupyterLite has made of a path. */
function pathsOfDownloads(drive: Drive): ReadonlyMap<string, string> {
  const paths = new Map<string, string>();
  const ask = drive.getDownloadUrl?.bind(drive);
  if (ask)
    drive.getDownloadUrl = async (path) => {
      const address = await ask(path);
      const name = decoded(path.replace(/^\//, ""));
      if (address.startsWith("blob:") && pageOf(name, true) !== undefined) paths.set(address, name);
      return address;
    };
  return paths;
}

/** A "%" in a name may stand for itself. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** The reader's files, by their paths in the contents. */
interface ReadersFiles {
  has(path: string): boolean;
}

/** Has the links of a notebook's page lead to pages of this site. Lab has tabs of its own, and opens them there. */
export function followLinks(base: string, own: ReadersFiles, drive: Drive, save: Save): void {
  if (!web.location.href.startsWith(new URL("notebooks/", base).href)) return;
  const files = new URL("files/", base).href;
  const downloads = pathsOfDownloads(drive);
  const ours = new Set<string>();
  const aim = (target: unknown): WebLink | undefined => {
    const link = (target as Partial<WebLink> | null)?.closest?.(".jp-Notebook a[href]");
    if (!link) return undefined;
    if (ours.has(link.href)) return link;
    const { href, pathname, hash } = new URL(link.href);
    const path = href.startsWith(files)
      ? decoded(pathname.slice(new URL(files).pathname.length))
      : downloads.get(href.slice(0, href.length - hash.length));
    const page = path === undefined ? undefined : pageOf(path, own.has(path));
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
