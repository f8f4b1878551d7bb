/** A request that is answered before the call returns, which workers may make. */
interface Request {
  readonly status: number;
  readonly response: unknown;
  responseType: string;
  getResponseHeader(name: string): string | null;
  open(method: "GET", url: string, asynchronous: false): void;
  send(): void;
}

interface Answer {
  readonly bytes: Uint8Array | undefined;
  /** The server says that the next answer may be another one. */
  readonly changes: boolean;
}

/** The bytes at an address, at once; undefined if there is nothing. */
export const fetchAtOnce = (url: string): Uint8Array | undefined => ask(url).bytes;

function ask(url: string): Answer {
  const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest: new () => Request };
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  request.responseType = "arraybuffer";
  try {
    request.send();
  } catch {
    // Without a network and outside of what the page keeps, there is no answer.
    return { bytes: undefined, changes: false };
  }
  return {
    bytes: request.status === 200 ? new Uint8Array(request.response as ArrayBuffer) : undefined,
    changes: /no-store/.test(request.getResponseHeader("Cache-Control") ?? ""),
  };
}

/** The text at an address, at once; undefined if there is nothing. */
export function textAtOnce(url: string): string | undefined {
  const bytes = fetchAtOnce(url);
  return bytes && new TextDecoder().decode(bytes);
}

interface Listing {
  readonly content: readonly { readonly name: string; readonly type: string }[];
}

/** The files that a site of JupyterLite serves; each is asked for once, unless the server says that it must not be kept. */
export class SiteFiles {
  readonly #files = new Map<string, Uint8Array | undefined>();
  readonly #folders = new Map<string, readonly string[] | undefined>();

  /** @param base the address of the site, with "/" at its end */
  constructor(private readonly base: string) {}

  read(path: string): Uint8Array | undefined {
    if (this.#files.has(path)) return this.#files.get(path);
    // A server may answer for a folder with a page of its own, so the folder above is asked first.
    const at = path.lastIndexOf("/");
    const isThere = this.list(path.slice(0, at) || "/")?.includes(path.slice(at + 1)) ?? false;
    if (!isThere) return undefined;
    const { bytes, changes } = ask(`${this.base}files${encoded(path)}`);
    if (!changes) this.#files.set(path, bytes);
    return bytes;
  }

  list(folder: string): readonly string[] | undefined {
    if (this.#folders.has(folder)) return this.#folders.get(folder);
    // Asked for a folder that is not there, a server's answer would stand in the browser's log as an error.
    if (!this.#mayHave(folder)) return undefined;
    const { bytes, changes } = ask(
      `${this.base}api/contents${folder === "/" ? "" : encoded(folder)}/all.json`,
    );
    const names = bytes && namesOf(new TextDecoder().decode(bytes));
    if (!changes) this.#folders.set(folder, names);
    return names;
  }

  #mayHave(folder: string): boolean {
    if (folder === "/") return true;
    const at = folder.lastIndexOf("/");
    return this.list(folder.slice(0, at) || "/")?.includes(`${folder.slice(at + 1)}/`) ?? false;
  }
}

const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

function namesOf(text: string): readonly string[] | undefined {
  try {
    const { content } = JSON.parse(text) as Listing;
    return content.map(({ name, type }) => (type === "directory" ? `${name}/` : name));
  } catch {
    // Some servers answer everything with a page.
    return undefined;
  }
}
