#!/usr/bin/env node
"use strict";
// Stands in for `jupyter` where a test is about how our command starts and stops it, not about JupyterLab.
const fs = require("fs");
const http = require("http");
const path = require("path");

const args = process.argv.slice(2);
if (args[0] !== "lab") process.exit(2);
if (args[1] === "--version") {
  console.log(process.env.FAKE_LAB_VERSION || "4.5.0");
  process.exit(0);
}
if (process.env.FAKE_LAB_FAILS) {
  console.error(process.env.FAKE_LAB_FAILS);
  process.exit(1);
}
const runtime = process.env.JUPYTER_RUNTIME_DIR;
const given = args.filter((arg) => arg.startsWith("--port"))[0];
const port = given ? Number(given.split("=")[1] || args[args.indexOf(given) + 1]) : 0;
const server = http.createServer((request, response) => {
  fs.writeFileSync(path.join(runtime, "asked"), request.url);
  setTimeout(() => response.end("{}"), Number(process.env.FAKE_LAB_ANSWERS_AFTER || 0));
});
server.listen(port, "127.0.0.1", () => {
  const info = {
    url: "http://127.0.0.1:" + server.address().port + "/",
    token: "secret",
    port: server.address().port,
    pid: process.pid,
  };
  const seen = { args: args, cwd: process.cwd(), env: process.env, pid: process.pid };
  fs.writeFileSync(path.join(runtime, "seen.json"), JSON.stringify(seen));
  fs.writeFileSync(path.join(runtime, "jpserver-" + process.pid + ".json"), JSON.stringify(info));
});
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => {
  fs.writeFileSync(path.join(runtime, "told-to-end"), "");
  if (!process.env.FAKE_LAB_STUBBORN) process.exit(0);
});
if (!process.env.FAKE_LAB_STUBBORN) process.stdin.on("end", () => process.exit(0)).resume();
