// Uses internals of turnwise-site/types.
import assert from "node:assert/strict";
import type { BrowserTypes } from "turnwise-site/internal/types/service";
import { browserTypes, builtTypes } from "../support/browserTypes.js";
import { describeHelpOfPage } from "./helpOfPage.js";
import { plain } from "./with-kernel.js";

/** Ways to ask types. */
function asking(types: () => BrowserTypes): {
  /** What a cell's check says: "ok", or the traceback. */
  check(code: string): Promise<string>;
  completed(code: string): Promise<string[]>;
} {
  return {
    check: async (code) => {
      const answer = await types().ask("prepare", { code, name: "cell_1.ts", expressions: {} });
      return answer.ok ? "ok" : plain(answer.error.traceback);
    },
    completed: async (code) => {
      const { items } = await types().ask("complete", { code, offset: code.length });
      return items.map(({ text }) => text);
    },
  };
}

describe("the workers of types of a page", function () {
  this.timeout(60_000);
  let types: BrowserTypes;
  const states: string[] = [];

  before(async () => {
    await builtTypes();
  });
  beforeEach(() => {
    states.length = 0;
    types = browserTypes((state) => states.push(state));
  });
  afterEach(() => types.stop());

  const { check } = asking(() => types);

  it("let cells run unchecked at first, and know afterwards what these have declared", async () => {
    assert.equal(await check("interface Row { step: number }; const rows: Row[] = []"), "ok");
    assert.equal(await check("const wrong: number = 'text'"), "ok", "nobody has checked it");
    assert.deepEqual(states, []);
    await types.load();
    assert.deepEqual(states, ["loading", "ready"]);
    assert.equal(
      await check("const a = 1\nconst text: string = rows.length"),
      [
        "cell_1.ts:2:7 - TS2322: Type 'number' is not assignable to type 'string'.",
        "  1 | const a = 1",
        "  2 | const text: string = rows.length",
        "    |       ^^^^",
      ].join("\n"),
    );
    assert.equal(await check("wrong.toFixed()"), "ok", "it has run, so its name is there");
    assert.match(await check("nowhere"), /TS2304/);
  });

  it("find syntax errors before the types are there, with their place", async () => {
    assert.match(
      await check("const a = [1, 2"),
      /^cell_1\.ts:1:11 - TS1005: ']' expected\. Nothing closes this \[/,
    );
    assert.deepEqual(await types.ask("isComplete", { code: "if (1) {" }), {
      status: "incomplete",
      indent: "  ",
    });
    assert.deepEqual(states, []);
  });

  it("wait for TypeScript as a whole where only its printer can make JavaScript of a cell", async () => {
    const answer = await types.ask("prepare", {
      code: "enum Side { Left }; Side.Left",
      name: "cell_1.ts",
      expressions: {},
    });
    assert.ok(answer.ok && answer.code.includes('Side["Left"] = 0'));
    assert.deepEqual(states, ["loading", "ready"]);
  });

  it("forget all cells at a reset", async () => {
    assert.equal(await check("const early = 1"), "ok");
    await types.ask("reset", {});
    await types.load();
    assert.match(await check("early"), /TS2304/);
    assert.equal(await check("const onward = 1"), "ok");
    await types.ask("reset", {});
    assert.match(await check("onward"), /TS2304/);
  });

  it("say that cells run unchecked where the types cannot be loaded, and load them when they can", async () => {
    types.stop();
    const said: string[] = [];
    const broken = browserTypes((_, text) => said.push(text), { full: "nowhere.js" });
    await assert.rejects(broken.load(), /nowhere\.js/);
    assert.match(said.join("\n"), /Cells run unchecked, since the types could not be loaded: .*nowhere\.js/);
    const answer = await broken.ask("prepare", {
      code: "const a: string = 1",
      name: "a.ts",
      expressions: {},
    });
    assert.ok(answer.ok);
    broken.stop();
  });
});

describe("the workers of types of a page, once they are there,", function () {
  this.timeout(60_000);
  let types: BrowserTypes;

  before(async () => {
    await builtTypes();
    types = browserTypes();
    await types.load();
  });
  beforeEach(() => types.ask("reset", {}));
  after(() => types.stop());
  const { check, completed } = asking(() => types);

  it("complete options, hover with documentation, and propose imports from the packed declarations", async () => {
    assert.ok((await completed('import { train } from "turnwise"; train({ ')).includes("recipe"));
    assert.deepEqual(await completed("[1].fla"), ["flat", "flatMap"]);
    const code = 'import { train } from "turnwise"; train';
    const info = await types.ask("inspect", { code, offset: code.length });
    assert.match(info!.text, /^function train\(options: TrainOptions\): TrainRun\n\nTrains a policy/);
    const known = await types.ask("inspect", { code: "[1].map(String)", offset: 6 });
    assert.match(known!.documentation, /^Calls a defined callback function on each element/);
    assert.match(await check("exactRule"), /Import it: import \{ exactRule \} from "turnwise\/exact"/);
  });

  it("answer on when a check was given up that goes on and on", async () => {
    assert.equal(await check("const kept = 1"), "ok");
    // A hundred million types, one after the other.
    const slow = [
      "type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9; type Four = `${Digit}${Digit}${Digit}${Digit}`;",
      "type Size<T, N extends 0[] = []> = T extends `${infer _}${infer Rest}` ? Size<Rest, [...N, 0]> : N['length'];",
      "const one: { [A in Four]: { [B in Four]: Size<`${A}${B}`> }[Four] }[Four] = 7;",
    ].join("\n");
    const given = assert.rejects(
      types.ask("prepare", { code: slow, name: "cell_2.ts", expressions: {} }),
      /The check was given up/,
    );
    types.abandonCheck();
    await given;
    assert.equal(await check("kept.toFixed()"), "ok");
    assert.match(await check("kept.nowhere"), /TS2339/);
  });
});

// The same packed declarations, which are built once in a process.
describeHelpOfPage();
