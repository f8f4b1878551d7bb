import { untrusted } from "./trust.js";

// What of JupyterLab's contents this room uses, and how a file of theirs is bytes.

/** A file or folder of the contents; `content` is there where it was asked for. */
export interface ContentsModel {
  readonly path: string;
  readonly type: string;
  readonly format?: string | null;
  readonly content?: unknown;
}

export interface ContentsChange {
  readonly type: string;
  readonly oldValue: { readonly path?: string } | null;
  readonly newValue: Partial<ContentsModel> | null;
}

/** `Contents.IManager` of @jupyterlab/services. */
export interface Contents {
  get(path: string, o: { content: boolean }): Promise<ContentsModel>;
  save(path: string, o: { type: string; format: string; content: unknown }): Promise<unknown>;
  delete(path: string): Promise<void>;
  readonly fileChanged: { connect(heard: (sender: unknown, change: ContentsChange) => void): unknown };
}

/** JupyterLite's drive: what the reader has, beside what the site has, lies in a table of the browser. */
export interface Drive {
  readonly storage: Promise<{
    keys(): Promise<string[]>;
    /** As it was saved; null if the browser has no such file. */
    getItem(path: string): Promise<{ readonly type?: string; readonly format?: string | null } | null>;
  }>;
  /** @param o as which format it is wanted: the drive then converts it */
  get(path: string, o: { content: boolean; format?: string }): Promise<ContentsModel>;
  save(path: string, o: object): Promise<unknown>;
  /** Target of a link to the file: for a file of the browser, an address that does not contain the path. */
  getDownloadUrl?(path: string): Promise<string>;
}

const exact = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes of a file; undefined where it is a folder, or a part of an upload that goes on. */
export function bytesOf({ type, format, content }: Partial<ContentsModel>): Uint8Array | undefined {
  if (type === "directory" || content === undefined || content === null) return undefined;
  if (typeof content !== "string")
    return new TextEncoder().encode(`${JSON.stringify(content, undefined, 1)}\n`);
  if (format !== "base64") return new TextEncoder().encode(content);
  try {
    return Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** A file as JupyterLab saves it: a notebook as such, text as text where it is text. */
export function modelOf(path: string, bytes: Uint8Array): { type: string; format: string; content: unknown } {
  let text: string;
  try {
    text = exact.decode(bytes);
  } catch {
    return { type: "file", format: "base64", content: base64(bytes) };
  }
  if (path.endsWith(".ipynb")) {
    try {
      return { type: "notebook", format: "json", content: untrusted(JSON.parse(text)) };
    } catch {
      // Not a notebook yet: kept as it is.
    }
  }
  return { type: "file", format: "text", content: text };
}

const partLength = 32_768;

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += partLength)
    text += String.fromCharCode(...bytes.subarray(at, at + partLength));
  return btoa(text);
}

/** A path as part of an address, also of a query. */
export const encoded = (path: string): string => path.split("/").map(encodeURIComponent).join("/");

/** JupyterLite's drive takes a path for one of an address. */
export const asAddress = (path: string): string => path.replaceAll("%", "%25");
