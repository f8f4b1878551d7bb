import assert from "node:assert/strict";
import { inspect } from "node:util";
import { boundedText, printable, tabled } from "turnwise-kernel/dist/display/bounded.js";
import { resultText, runIn, sharedKernel, started, streamText } from "./with-kernel.js";

/** So many entries that Node's printer would list the keys of them for seconds. */
const many = 3_000_000;

function withHoles(length: number): number[] {
  const list: number[] = [];
  // One entry after the other, so that the engine keeps the list as a list; the first place stays empty.
  for (let i = 0; i < length; i++) list.push(i);
  Reflect.deleteProperty(list, 0);
  return list;
}

describe("the text of a huge value", () => {
  it("is that of Node where that is quick", () => {
    const values = [
      withHoles(3),
      { a: { b: [1, 2] } },
      new Map([["a", new Set([1])]]),
      new Error("x"),
      "text",
      null,
    ];
    for (const value of values) assert.equal(boundedText(value, { depth: 4 }), inspect(value, { depth: 4 }));
    for (const value of values) assert.equal(printable(value, 2), value);
  });

  it("is that of Node for a few entries in a long row of holes", () => {
    const sparse: number[] = [];
    sparse[1_234_567] = 1;
    assert.equal(boundedText(sparse, {}), "[ <1234567 empty items>, 1 ]");
  });

  it("has the first hundred places of an array that begins with a hole", () => {
    const text = boundedText(withHoles(many), {});
    assert.match(text, /^\[\n\s+<1 empty item>,\s+1,\s+2,/);
    // 3,000,000 places less the 100 that are shown.
    assert.match(text, /99,\n {2}\.\.\. 2,999,900 more items\n\]$/);
  });

  it("has the first ten thousand keys of an object", () => {
    const object = Object.fromEntries(Array.from({ length: 10_002 }, (_, i) => [`key${i}`, i]));
    const text = boundedText(object, { depth: 4 });
    assert.match(text, /^\{\n {2}key0: 0,\n/);
    assert.match(text, /key9999: 9999,\n {2}\.\.\. 2 more keys\n\}$/);
    assert.doesNotMatch(text, /key10000/);
  });

  it("shows fewer levels of what is broad on every level", () => {
    // 100 ** 3 entries on the third level: a row of them is shared, which the printer does not notice.
    const row = Array<number>(100).fill(1);
    const cube = Array<number[][]>(100).fill(Array<number[]>(100).fill(row));
    const text = boundedText(cube, { depth: 4 });
    assert.match(text, /\[Array\]/);
    assert.equal(text, inspect(cube, { depth: 1 }), "10,100 entries on two levels, and 1,010,100 on three");
  });

  it("leaves objects alone that write themselves, and asks no proxy", () => {
    let asked = 0;
    const proxy = new Proxy({}, { ownKeys: () => (asked++, []) });
    assert.equal(
      boundedText({ proxy, own: { [inspect.custom]: () => "own" } }, {}),
      "{ proxy: {}, own: own }",
    );
    assert.equal(asked, 0);
  });

  it("is a table of the first rows", () => {
    const { rows, rest } = tabled(Array.from({ length: 10_001 }, (_, i) => ({ i })));
    assert.equal((rows as unknown[]).length, 10_000);
    assert.equal(rest, "... 1 more row");
    assert.deepEqual(tabled({ a: 1 }), { rows: { a: 1 } });
  });
});

describe("a huge value", function () {
  this.timeout(120_000);
  const kernel = sharedKernel();
  const run = runIn(kernel);

  before(async () => {
    await run(
      `const list: number[] = []; for (let i = 0; i < ${many}; i++) list.push(i);\ndelete list[0];\nconst object: Record<string, number> = {}; for (let i = 0; i < 200_000; i++) object["k" + i] = i;`,
    );
  });

  it("is shown and printed at once", async () => {
    assert.match(resultText(await run("list"))!, /more items\n\]$/);
    assert.match(streamText(await run("console.log(list)")), /more items\n\]\n$/);
    assert.match(resultText(await run("object"))!, /k0: 0/);
    assert.match(streamText(await run("console.log('seen:', object)")), /^seen: \{\n {2}k0: 0,/);
  });

  it("lets the cell be interrupted that prints it", async () => {
    const { result } = await started(kernel(), "for (;;) console.log(list, { object })");
    await kernel().interrupt();
    assert.equal((await result).error?.ename, "KernelInterrupt");
    assert.equal(resultText(await run("list.length")), String(many));
  });
});
