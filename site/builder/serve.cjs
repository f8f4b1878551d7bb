"use strict";
// A plain static server on this machine's own address, to look at the built site.

const fs = require("fs");
const http = require("http");
const path = require("path");
const zlib = require("zlib");

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".ipynb": "application/json",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
  ".txt": "text/plain; charset=utf-8",
};

const typeOf = (file) => types[path.extname(file)] ?? "application/octet-stream";

/** Types that static hosts send compressed: text, and code that reads like it. */
const compressible = /^(text\/|application\/(json|wasm|manifest)|image\/svg)/;

/** Compressed files, by file and time, as a static host has them ready. */
const shrunk = new Map();

function gzipped(file) {
  const key = file + " " + fs.statSync(file).mtimeMs;
  if (!shrunk.has(key)) shrunk.set(key, zlib.gzipSync(fs.readFileSync(file)));
  return shrunk.get(key);
}

/** The path of an address, decoded as `name`, and its query; undefined where a client asks for what is no address. */
function targetOf(url) {
  try {
    const { pathname, search } = new URL(url, "http://localhost");
    const name = decodeURIComponent(pathname);
    return name.includes("\0") ? undefined : { name, pathname, search };
  } catch {
    return undefined;
  }
}

/**
 * Serves a folder below `prefix`; resolves to the server, which listens. Nothing outside the folder is read. With `compress`, what
 * shrinks is sent by gzip, as static hosts do it.
 */
function serve(folder, { port = 0, prefix = "/", compress = false } = {}) {
  const root = fs.realpathSync(folder);
  const server = http.createServer((request, response) => {
    const target = targetOf(request.url);
    if (!target) return response.writeHead(400).end("Not an address\n");
    const { name, pathname, search } = target;
    let file = path.join(root, name.slice(prefix.length));
    const inside = name.startsWith(prefix) && (file + path.sep).startsWith(root + path.sep);
    if (inside && fs.existsSync(file) && fs.statSync(file).isDirectory()) {
      if (!name.endsWith("/")) return response.writeHead(301, { Location: pathname + "/" + search }).end();
      file = path.join(file, "index.html");
    }
    if (!inside || !fs.existsSync(file)) return response.writeHead(404).end("Not found\n");
    const type = typeOf(file);
    const headers = { "Content-Type": type, "Cache-Control": "no-cache" };
    const small = compress && compressible.test(type) && /\bgzip\b/.test(request.headers["accept-encoding"]);
    if (small) {
      const body = gzipped(file);
      response.writeHead(200, { ...headers, "Content-Encoding": "gzip", "Content-Length": body.length });
      return response.end(request.method === "HEAD" ? undefined : body);
    }
    response.writeHead(200, headers);
    if (request.method === "HEAD") return response.end();
    // A file that cannot be read breaks its own answer off, and nothing else.
    return fs
      .createReadStream(file)
      .on("error", () => response.destroy())
      .pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

module.exports = { serve: serve, typeOf: typeOf };
