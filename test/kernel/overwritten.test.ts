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

/** Without these, the event loop of Node ends the process: they are put back as soon as a cell waits. */
const endsNode = [
  "Function.prototype.apply = null;",
  "Function.prototype.call = () => 1;",
  "process.emit = null;",
  "process.nextTick = undefined;",
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

/** All that a session waits, counts and prints by, taken away and put back. */
const takenAway = `const { Map, Set, WeakMap, Promise, Array, Object, JSON, Atomics, Buffer } = globalThis;
const all = [[Map.prototype, "get"], [Map.prototype, "set"], [Set.prototype, "add"], [Set.prototype, "delete"], [WeakMap.prototype, "get"],
  [Array.prototype, "push"], [Array.prototype, "map"], [Array.prototype, Symbol.iterator], [Promise.prototype, "then"], [JSON, "stringify"],
  [Atomics, "store"], [Buffer, "from"], [globalThis, "Promise"], [globalThis, "Map"], [globalThis, "Error"]];
const before = all.map(([owner, key]) => owner[key]);
const lost = [];
try {
  for (let i = 0; i < all.length; i++) all[i][0][all[i][1]] = null;
  Object.prototype.toJSON = () => 1;
  for (let turn = 0; turn < 2; turn++) {
    console.log("turn", turn);
    await new Promise((go) => setTimeout(go, 1));
    for (let i = 0; i < all.length; i++) if (all[i][0][all[i][1]] !== null) lost[lost.length] = all[i][1];
    if (Object.prototype.toJSON === undefined) lost[lost.length] = "toJSON";
  }
} finally {
  delete Object.prototype.toJSON;
  for (let i = 0; i < all.length; i++) all[i][0][all[i][1]] = before[i];
}
lost.join() || "all stayed"`;

/** Classes that do what the language's do, as polyfills are. */
const polyfills = `const own = { Promise, Map };
const Later = class Promise {
  constructor(run) { this.inner = new own.Promise(run); }
  static of(inner) { return new Later((done, failed) => { inner.then(done, failed); }); }
  static resolve(x) { return Later.of(own.Promise.resolve(x)); }
  static reject(x) { return Later.of(own.Promise.reject(x)); }
  static all(x) { return Later.of(own.Promise.all(x)); }
  static race(x) { return Later.of(own.Promise.race(x)); }
  then(done, failed) { return Later.of(this.inner.then(done, failed)); }
  catch(failed) { return this.then(undefined, failed); }
  finally(end) { return Later.of(this.inner.finally(end)); }
};
const Table = class Map {
  list = [];
  constructor(given) { if (given) for (const [key, value] of given) this.set(key, value); }
  get size() { return this.list.length; }
  at(key) { return this.list.findIndex((one) => one[0] === key); }
  has(key) { return this.at(key) >= 0; }
  get(key) { return this.list[this.at(key)]?.[1]; }
  set(key, value) { const at = this.at(key); if (at < 0) this.list.push([key, value]); else this.list[at][1] = value; return this; }
  delete(key) { const at = this.at(key); if (at >= 0) this.list.splice(at, 1); return at >= 0; }
  entries() { return this.list.values(); }
  keys() { return this.list.map((one) => one[0]).values(); }
  values() { return this.list.map((one) => one[1]).values(); }
  forEach(run) { for (const [key, value] of this.list) run(value, key, this); }
  [Symbol.iterator]() { return this.entries(); }
};
globalThis.Promise = Later;
globalThis.Map = Table;`;

describe("a cell that overwrites what every program relies on", function () {
  this.timeout(patient(60_000));
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_TYPES: "off" } });
  const run = (code: string): ReturnType<ReturnType<typeof kernel>["execute"]> =>
    kernel().execute(`// @ts-nocheck\n${code}`);
  const value = async (code: string): Promise<string | undefined> => {
    const result = await run(code);
    assert.equal(result.status, "ok", `${code}\n${plain(result.error?.traceback)}`);
    return resultText(result);
  };
  const refused = async (code: string): Promise<string> => {
    const result = await run(code);
    assert.equal(result.status, "error", code);
    return plain(result.error?.traceback);
  };

  it("is told so, and how to undo it: variables, output, errors and imports are as before", async () => {
    await run("const keep = 41;");
    for (const code of ruinous) {
      const text = await refused(`${code}\nconsole.log("after");\nawait 0;`);
      assert.match(text, /Cannot keep what was assigned to .+the notebook's variables are kept\. To/, code);
    }
    for (const code of host === "node" ? endsNode : []) {
      const wait = "await new Promise((go) => setTimeout(go, 1));";
      assert.match(await refused(`${code}\n${wait}\n${wait}`), /Cannot keep what was assigned to/, code);
    }
    assert.equal(await value("keep + 1"), "42");
    const printed = await run(
      'console.log("a", { b: 1 }); await new Promise((go) => setTimeout(go, 1)); console.log("c");',
    );
    assert.equal(streamText(printed), "a { b: 1 }\nc\n");
    assert.match(
      await refused("function f() { throw new TypeError('boom'); }\nf();"),
      /TypeError: boom[^]*at f \(cell_/,
    );
    assert.equal(await value('import { recipe } from "turnwise"; typeof recipe'), "'function'");
  });

  it("keeps what it adds or wraps so that all goes on: polyfills, spies, fixed clocks", async () => {
    await run("globalThis.before = [console.log, JSON.stringify];");
    for (const [sets, asks, is] of harmless) {
      await value(sets);
      assert.equal(await value(asks), is, sets);
    }
    // Of those, the next cells need other ones.
    await run("Error.prepareStackTrace = undefined; [console.log, JSON.stringify] = globalThis.before;");
  });

  // A page prints by a program of its own, which relies on them.
  if (host === "node")
    it("has until its end what it puts back itself, while it prints and waits", async () => {
      const result = await run(
        `{ ${takenAway.replace(/lost\.join.*$/, "globalThis.left = lost.map(String).join()")} }`,
      );
      assert.equal(result.status, "ok", plain(result.error?.traceback));
      assert.equal(streamText(result), "turn 0\nturn 1\n");
      assert.equal(await value("left"), "''");
    });

  it("has a temporary mock until its `finally`, however long that takes", async () => {
    const result = await run(`const before = JSON.stringify;
let seen = "";
try {
  JSON.stringify = () => "mock";
  console.log("first");
  await new Promise((go) => setTimeout(go, 1));
  console.log("second");
  seen = JSON.stringify([1]);
} finally { JSON.stringify = before; }
seen + JSON.stringify([1])`);
    assert.equal(resultText(result), "'mock[1]'", plain(result.error?.traceback));
    assert.equal(streamText(result), "first\nsecond\n");
  });

  it("keeps a Promise and a Map of its own that work, and goes on with them", async () => {
    await value(polyfills);
    assert.equal(await value("[Promise === Later, Map === Table].join()"), "'true,true'");
    assert.equal(await value("await Promise.resolve(3).then((x) => x + new Map([[1, 2]]).get(1))"), "5");
    assert.equal(await value("await new Promise((go) => setTimeout(() => go(7), 1))"), "7");
    assert.equal(await value('(async () => "shown")().constructor === own.Promise'), "true");
    assert.equal(await value("globalThis.Promise = own.Promise; globalThis.Map = own.Map; 1"), "1");
  });

  it("loses of several replacements only those that do harm, alone or together", async () => {
    const text = await refused(
      'JSON.stringify = () => "x"; Object.keys = null; Math.random = () => 0.25; Array.prototype.second = () => 2;',
    );
    assert.match(text, /assigned to (JSON\.stringify, Object\.keys|Object\.keys, JSON\.stringify): /);
    assert.equal(
      await value("[Math.random(), [].second(), Object.keys({ a: 1 }).length].join()"),
      "'0.25,2,1'",
    );
    // Either of them is fine alone: 1 becomes 2, or 2 becomes 1; both call each other for ever.
    await refused(`{ const { floor, round } = Math;
Math.floor = (x) => (Math.round === round ? floor(x) : Math.round(x));
Math.round = (x) => (Math.floor === floor ? round(x) : Math.floor(x));
Math.trunc = (x) => x; }`);
    assert.equal(await value("Math.floor(1.5) + Math.round(0.6) + Math.trunc(0.5)"), "2.5");
  });

  it("cannot hide an addition by taking away another one", async () => {
    await run("Object.prototype.extra = 1;");
    const text = await refused('delete Object.prototype.extra; Object.prototype.toJSON = () => "x";');
    assert.match(text, /assigned to Object\.prototype\.toJSON: /);
    // One that was accepted and is gone is forgotten; and one that turns bad is put back as it was.
    await run("Object.prototype.toJSON = undefined;");
    assert.match(
      await refused('Object.prototype.toJSON = () => "x";'),
      /assigned to Object\.prototype\.toJSON: /,
    );
    assert.equal(await value('[Object.hasOwn(Object.prototype, "toJSON"), ({}).toJSON].join()'), "'true,'");
    assert.equal(await value("delete Object.prototype.toJSON"), "true");
  });

  it("is put back what it had before, not what the engine had", async () => {
    await run("const spy = ((old) => (...all) => old(...all))(JSON.stringify); JSON.stringify = spy;");
    await refused('JSON.stringify = () => "x";');
    assert.equal(await value("JSON.stringify === spy"), "true");
  });

  it("cannot hold the session up with a list that never ends", async () => {
    for (const code of [
      "Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1; };",
      "Set.prototype[Symbol.iterator] = Set.prototype.values = () => ({ next: () => ({ done: false, value: 1 }) });",
      "Map.prototype.keys = function* () { for (;;) yield 1; };",
    ])
      assert.match(await refused(code), /Cannot keep/, code);
  });

  it("is told what its timer did; another cell has no error for that", async () => {
    // A thing by which a session reports, and one at which it looks less often; within another cell, and between two.
    for (const what of ["JSON.stringify", "Object.keys"])
      for (const isWithin of [true, false]) {
        const told: { parent: string | undefined; text: string }[] = [];
        let fired: () => void = () => undefined;
        const hasFired = new Promise<void>((resolve) => (fired = resolve));
        const stop = kernel().onMessage(({ header, parent, content }) => {
          if (header.msg_type !== "stream") return;
          told.push({ parent: parent.msg_id, text: String(content.text) });
          if (content.text === "fired\n") fired();
        });
        let own: string | undefined;
        const timer = `var done = new Promise((go) => setTimeout(() => { ${what} = () => "x"; console.log("fired"); go(); }, 5)); 0`;
        const { status } = await kernel().execute(`// @ts-nocheck\n${timer}`, {
          onMessage: ({ parent }) => (own = parent.msg_id),
        });
        assert.equal(status, "ok");
        if (!isWithin) await hasFired;
        assert.equal(await value(isWithin ? "await done; 'fine'" : "'fine'"), "'fine'");
        assert.equal(await value("JSON.stringify(Object.keys({ a: 1 }))"), "'[\"a\"]'");
        stop();
        const about = told.filter(({ text }) => text.includes(what));
        assert.equal(about.length, 1, `${what} ${JSON.stringify(told)}`);
        assert.equal(about[0]!.parent, own);
        assert.match(
          about[0]!.text,
          /Cannot keep what code that cell \[\d+\] has left running, such as a timer/,
        );
      }
  });

  // A page has no pipe that a cell could write to.
  if (host === "node")
    it("may write what it likes where the session reports: that is named and skipped, and the session goes on", async () => {
      await run("var kept = 1;");
      for (const garbage of ['"abc\\n"', "Buffer.alloc(64, 255)", "Buffer.from([4, 0, 0, 0, 9, 9, 0, 0])"]) {
        const result = await run(`require("node:fs").writeSync(3, ${garbage}); console.log("on"); ++kept`);
        assert.equal(result.status, "ok", garbage);
        assert.equal(streamText(result), "on\n");
        assert.match(streamText(result, "stderr"), /skipped "[^]+written to a pipe of the kernel/);
      }
      assert.equal(await value("kept"), "4");
    });

  // The last ones, as they cannot be undone.
  it("is told what cannot be put back, and that only a restart helps", async () => {
    await run("var kept = 41;");
    const fixed = (name: string, value: string, writable: boolean): string =>
      `Object.defineProperty(Array.prototype, "${name}", { value: ${value}, configurable: false, writable: ${String(writable)} }); 0`;
    // What may still be written to is put back.
    assert.match(
      await refused(fixed("flat", "() => 1", true)),
      /Cannot keep.+Array\.prototype\.flat.+put back as/,
    );
    assert.equal(await value("[[1]].flat().length"), "1");
    const text = await refused(fixed("map", "() => []", false));
    assert.match(text, /Cannot put back Array\.prototype\.map: .+restart the kernel\.$/);
    assert.doesNotMatch(text, /It was put back/);
    // What comes later is judged as before.
    assert.equal(await value("kept + 1"), "42");
    assert.match(await refused("Math.random = () => 0.75; JSON.parse = null;"), /assigned to JSON\.parse: /);
    assert.equal(await value("Math.random()"), "0.75");
  });
});
