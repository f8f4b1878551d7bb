import { createReadStream, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".css": "text/css",
  ".csv": "text/csv",
  ".wasm": "application/wasm",
};

/** A server of files on loopback. */
export interface StaticServer {
  /** Its address, with a final slash. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves folders of the disk, each below its name. With `isolated`, the headers let its pages share memory between threads.
 * `extra` answers what is no file; undefined means that it is not there.
 */
export async function serveFolders(
  folders: Readonly<Record<string, string>>,
  o: {
    isolated: boolean;
    /** The header Cache-Control; without it nothing is kept. */
    cache?: string;
    extra?: (method: string, path: string) => string | undefined;
  },
): Promise<StaticServer> {
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname);
    if (o.isolated) {
      response.setHeader("Cross-Origin-Opener-Policy", "same-origin");
      response.setHeader("Cross-Origin-Embedder-Policy", "require-corp");
      response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
    }
    response.setHeader("Cache-Control", o.cache ?? "no-store");
    // A folder's own page.
    const extension = path.endsWith("/") ? ".html" : extname(path);
    response.setHeader("Content-Type", types[extension] ?? "application/octet-stream");
    const answer = o.extra?.(request.method ?? "GET", path);
    if (answer !== undefined) return void response.end(answer);
    const [, name = "", rest = ""] = /^\/([^/]*)\/?(.*)$/.exec(path) ?? [];
    const file = Object.hasOwn(folders, name) ? join(folders[name]!, normalize(`/${rest}`)) : undefined;
    if (file === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
      response.statusCode = 404;
      return void response.end();
    }
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
