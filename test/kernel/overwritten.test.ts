import assert from "node:assert/strict";
import { patient } from "../support/patient.js";
import { host, plain, resultText, sharedKernel, streamText } from "./with-kernel.js";

/** Assignments with which no program could go on. */
const ruinous = [
  'JSON.stringify = () => "x";',
  "JSON.parse = () => 1;",
  'Object.prototype.toJSON = () => "x";',
  "Array.prototype.map = () => [];",
  "Array.prototype.push = null;",
  "Array.prototype[Symbol.iterator] = null;",
  "Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({ done: true });",
  "Map.prototype.get = () => undefined;",
  "Map.prototype.set = null;",
  "Set.prototype.has = null;",
  "Promise.prototype.then = () => {};",
  "Promise.prototype.then = null;",
  "Function.prototype.call = null;",
  "Function.prototype.apply = null;",
  "Buffer.from = () => null;",
  "Buffer.allocUnsafe = null;",
  "Buffer.prototype.writeUInt32LE = () => 1;",
  "Object.getPrototypeOf(Uint8Array.prototype).set = () => {};",
  "Atomics.store = null;",
  "Object.keys = null;",
  "Object.defineProperty = null;",
  "Object.prototype.get = 1;",
  "String.prototype.split = null;",
  "RegExp.prototype.exec = () => null;",
  "Symbol.for = () => Symbol();",
  "globalThis.JSON = null;",
  "globalThis.Object = null;",
  "globalThis.Map = null;",
  "globalThis.Promise = null;",
  "globalThis.Error = null;",
  "globalThis.process = null;",
  "globalThis.setTimeout = null;",
  "delete globalThis.Buffer;",
  ...(host === "node" ? ["process.emit = null;", "process.nextTick = null;"] : []),
  'for (const name of ["push", "map", "slice", "join", "filter"]) Array.prototype[name] = () => { throw 1; };',
];

/** Assignments that programs make, and that stay. */
const harmless: readonly (readonly [sets: string, asks: string, is: string])[] = [
  ["Object.prototype.foo = 1;", "({}).foo", "1"],
  ["Array.prototype.last = function () { return this[this.length - 1]; };", "[1, 2].last()", "2"],
  ["Math.random = () => 0.5;", "Math.random()", "0.5"],
  ["Date.now = () => 7;", "Date.now()", "7"],
  [
    "let calls = 0; Map.prototype.get = ((old) => function (key) { calls++; return old.call(this, key); })(Map.prototype.get);",
    "calls = 0; new Map([[1, 2]]).get(1) + calls",
    "3",
  ],
  [
    "let made = 0; JSON.stringify = ((old) => (...given) => { made++; console.log('spy'); return old(...given); })(JSON.stringify);",
    "JSON.stringify([1])",
    "'[1]'",
  ],
  ["Error.prepareStackTrace = () => 5;", "new Error('a').stack", "5"],
  ["process.stdout.write = () => true;", "process.stdout.write('a')", "true"],
  ["console.log = () => {};", "console.log(1) === undefined", "true"],
];

describe("a cell that overwrites what every program relies on", function () {
  this.timeout(patient(60_000));
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_TYPES: "off" } });
  const run = (code: string): ReturnType<ReturnType<typeof kernel>["execute"]> =>
    kernel().execute(`// @ts-nocheck\n${code}`);

  it("is told so, and how to undo it: variables, output, errors and imports are as before", async () => {
    await run("const keep = 41;");
    for (const code of ruinous) {
      const result = await run(`${code}\nconsole.log("after");\nawait 0;`);
      assert.equal(result.status, "error", code);
      const text = plain(result.error?.traceback);
      assert.match(text, /Cannot keep what was assigned to .+the notebook's variables are kept\. To/, code);
      assert.equal(resultText(await run("keep + 1")), "42", code);
    }
    const printed = await run(
      'console.log("a", { b: 1 }); await new Promise((go) => setTimeout(go, 1)); console.log("c");',
    );
    assert.equal(streamText(printed), "a { b: 1 }\nc\n");
    const failed = await run("function f() { throw new TypeError('boom'); }\nf();");
    assert.match(plain(failed.error?.traceback), /TypeError: boom[^]*at f \(cell_/);
    const imported = await run('import { recipe } from "turnwise"; typeof recipe');
    assert.equal(resultText(imported), "'function'", plain(imported.error?.traceback));
  });

  it("keeps what it adds or wraps so that all goes on: polyfills, spies, fixed clocks", async () => {
    for (const [sets, asks, is] of harmless) {
      const result = await run(sets);
      assert.equal(result.status, "ok", `${sets} ${plain(result.error?.traceback)}`);
      assert.equal(resultText(await run(asks)), is, sets);
    }
  });

  // A page has no pipe that a cell could write to.
  if (host === "node")
    it("may write what it likes where the session reports: the kernel goes on with a new session and says so", async () => {
      for (const garbage of [
        '"a text that nobody can read"',
        "Buffer.alloc(64, 255)",
        "Buffer.from([4, 0, 0, 0, 9, 9, 0, 0])",
      ]) {
        const result = await run(`require("node:fs").writeSync(3, ${garbage}); await new Promise(() => {});`);
        assert.equal(result.error?.ename, "SessionEnded", garbage);
        assert.match(streamText(result, "stderr"), /a report of the session cannot be read/);
        assert.equal(resultText(await run("1 + 1")), "2");
      }
    });
});
