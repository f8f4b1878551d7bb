// A file of its own, since sessions need it and must not load TypeScript.

/** Replacements of members of `Deno` that cells do not have. */
const instead: Record<string, string> = {
  serve: 'import { createServer } from "node:http"',
  serveHttp: 'import { createServer } from "node:http"',
  listen: 'import { createServer } from "node:net"',
  listenTls: 'import { createServer } from "node:tls"',
  connect: 'import { connect } from "node:net"',
  connectTls: 'import { connect } from "node:tls"',
  upgradeWebSocket: '%install ws, and import { WebSocketServer } from "ws"',
  open: 'import { open } from "node:fs/promises"',
  openSync: 'import { openSync } from "node:fs"',
  create: 'import { open } from "node:fs/promises"',
  watchFs: 'import { watch } from "node:fs/promises"',
  openKv: '%install @deno/kv, and import { openKv } from "npm:@deno/kv"',
  run: 'await new Deno.Command("ls").output(), or !ls',
  kill: "process.kill(pid)",
  exit: "throw an error to stop the cell, or restart the kernel from its menu",
  addSignalListener: "process.on(signal, listener)",
  test: 'import test from "node:test"',
  bench: "%timeit, or performance.now()",
  dlopen: '%install koffi, and import koffi from "koffi"',
  resolveDns: 'import { resolve } from "node:dns/promises"',
  readAll:
    '%install @jsr/std__io --@jsr:registry=https://npm.jsr.io, and import { readAll } from "jsr:@std/io"',
  writeAll:
    '%install @jsr/std__io --@jsr:registry=https://npm.jsr.io, and import { writeAll } from "jsr:@std/io"',
  isatty: "process.stdin.isTTY",
  networkInterfaces: 'import { networkInterfaces } from "node:os"',
  loadavg: 'import { loadavg } from "node:os"',
  symlink: 'import { symlink } from "node:fs/promises"',
  link: 'import { link } from "node:fs/promises"',
  chmod: 'import { chmod } from "node:fs/promises"',
  chown: 'import { chown } from "node:fs/promises"',
  truncate: 'import { truncate } from "node:fs/promises"',
  utime: 'import { utimes } from "node:fs/promises"',
  readLink: 'import { readlink } from "node:fs/promises"',
  ensureDir: "await Deno.mkdir(path, { recursive: true })",
};

/** Advice for a member of `Deno` that cells do not have. */
export function denoAdvice(member: string): string {
  const known = Object.hasOwn(instead, member) ? instead[member] : undefined;
  return known === undefined
    ? "Cells run on Node: node:fs, node:http, node:child_process and others do what the rest of Deno does"
    : `Instead: ${known}`;
}
