"use strict";
// `npm run check`: what looks at the sources without running them, in two lines side by side. All of it is done, so that one run tells
// everything that is wrong, and what one says is printed in one piece.
const { spawn } = require("node:child_process");
const path = require("node:path");

const root = path.resolve(__dirname, "..");
const lines = [
  [
    ["eslint", "."],
    [
      "depcruise",
      "lib/turnwise/src",
      "lib/practice/src",
      "lib/course/src",
      "kernel/src",
      "site/src",
      "--output-type",
      "err-long",
    ],
    ["knip", "--config", ".ci/knip.mjs"],
  ],
  [
    ["prettier", "--check", "--log-level", "warn", "."],
    ["typedoc", "--emit", "none", "--logLevel", "Warn"],
  ],
];

/** Runs a program of node_modules and prints what it said in one piece; gives whether it found nothing. */
function check([name, ...args]) {
  return new Promise((resolve) => {
    const program = path.join(root, "node_modules", ".bin", name);
    const child = spawn(program, args, { cwd: root, shell: process.platform === "win32" });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (said += text));
    child.on("error", (error) => (said += error.message + "\n"));
    child.on("close", (code) => {
      if (code !== 0) said += `${name} found what is wrong (status ${code})\n`;
      process.stdout.write(said);
      resolve(code === 0);
    });
  });
}

async function inTurn(line) {
  let fine = true;
  for (const one of line) fine = (await check(one)) && fine;
  return fine;
}

void Promise.all(lines.map(inTurn)).then((fine) => {
  process.exitCode = fine.every(Boolean) ? 0 : 1;
});
