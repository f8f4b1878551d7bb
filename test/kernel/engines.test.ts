import assert from "node:assert/strict";
import { join } from "node:path";
import { startKernel, type KernelClient } from "turnwise-kernel";
import type { TypeEngine } from "turnwise-kernel/dist/types/engine.js";
import { TslabEngine } from "turnwise-kernel/dist/types/tslab-engine.js";
import { plain, repository, resultText, sharedKernel, temporaryFolder } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

const folder = join(repository, "kernel");

const engines: [string, () => TypeEngine][] = [
  ["TypeScript's language service", () => checkerIn(folder)],
  [
    "tslab's converter",
    () => {
      // tslab looks for packages from the current folder.
      process.chdir(folder);
      return new TslabEngine();
    },
  ],
];

for (const [title, create] of engines) {
  describe(`types by ${title}`, function () {
    this.timeout(60_000);
    let engine: TypeEngine;
    const before_ = process.cwd();
    before(() => {
      engine = create();
      for (const cell of [
        "let lr: number = 0.1; const fixed = 1",
        "class Agent { steps = 3; act(n: number): string { return String(n) } }\ninterface Env { reset(): void }",
        "import { join } from 'node:path'\nenum Mode { Train, Test }",
      ]) {
        assert.deepEqual(engine.check(cell), []);
        engine.commit(cell);
      }
    });
    after(() => {
      engine.close();
      process.chdir(before_);
    });

    const codes = (source: string): number[] => engine.check(source).map(({ code }) => code);

    it("checks assignments to variables of earlier cells", () => {
      assert.deepEqual(codes("lr = 0.5"), []);
      assert.deepEqual(codes("lr = 'fast'"), [2322]);
      assert.deepEqual(codes("fixed = 2"), [2588]);
    });

    it("knows classes, interfaces, enums and imports of earlier cells", () => {
      assert.deepEqual(codes("const e: Env = { reset() {} }; Mode.Train; join('a', new Agent().act(1))"), []);
      assert.deepEqual(codes("new Agent().act('x')"), [2345]);
    });

    it("reports where in the cell an error is", () => {
      const [finding] = engine.check("const a = 1\nconst b: string = 5");
      assert.equal(
        "const a = 1\nconst b: string = 5".slice(finding!.start, finding!.start + finding!.length),
        "b",
      );
      assert.equal(finding!.syntax, false);
    });

    it("allows await at top level", () => {
      assert.deepEqual(codes("const x = await Promise.resolve(1); x + 1"), []);
    });

    it("tells syntax errors from type errors", () => {
      assert.ok(engine.check("const = 5").some(({ syntax }) => syntax));
    });

    it("lets a later cell redeclare a name with another type", () => {
      engine.check("let again = 1");
      engine.commit("let again = 1");
      engine.check("let again = 'text'");
      engine.commit("let again = 'text'");
      assert.deepEqual(codes("again.toUpperCase()"), []);
    });

    it("completes members and names", () => {
      const members = engine.complete("new Agent().", 12).items.map(({ text }) => text);
      assert.deepEqual(members, ["act", "steps"]);
      assert.ok(engine.complete("fix", 3).items.some(({ text }) => text === "fixed"));
    });

    it("describes the name at the cursor", () => {
      assert.match(engine.inspect("lr", 1)!.signature, /lr: number/);
      assert.equal(engine.inspect("   ", 1), undefined);
    });

    it("accepts modules defined by cells", () => {
      assert.deepEqual(engine.addModule("helpers", "export const answer: number = 42"), []);
      assert.deepEqual(codes("import { answer } from './helpers'\nanswer.toFixed()"), []);
    });
  });
}

describe("a kernel on tslab's converter", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_ENGINE: "tslab" } });
  const apart = (): Promise<KernelClient> =>
    startKernel({ cwd: folder(), env: { ...process.env, TURNWISE_ENGINE: "tslab" } });

  it("checks with it, and still runs cells with live bindings", async () => {
    await kernel().execute("let lr = 0.1; function step() { return lr }");
    assert.equal(resultText(await kernel().execute("lr = 0.01; step()")), "0.01");
    assert.match((await kernel().execute("lr = 'no'")).error!.evalue, /TS2322/);
  });

  it("knows the exports of a cell with %%module", async () => {
    const own = await apart();
    try {
      await own.execute(
        "%%module mine.ts\nexport interface Box { n: number }\nexport const one: number = 1;",
      );
      assert.equal(resultText(await own.execute("const box: Box = { n: one }; box.n")), "1");
      await own.execute("%%module mine.ts\nexport const one: number = 2;");
      assert.equal(resultText(await own.execute("one")), "2");
      assert.match((await own.execute("const s: string = one")).error!.evalue, /TS2322/);
    } finally {
      await own.shutdown();
    }
  });
});

describe("directives of tslab", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  it("@module makes a cell a module that others import", async () => {
    const defined = await kernel().execute(
      "/** @module shapes */\nexport const sides = (n: number): number => n + 1;\nexport class Square { size = 4 }",
    );
    assert.equal(defined.status, "ok", plain(defined.error?.traceback));
    const used = await kernel().execute(
      "import { sides, Square } from './shapes'\nsides(2) + new Square().size",
    );
    assert.equal(resultText(used), "7", plain(used.error?.traceback));
    const wrong = await kernel().execute("/** @module broken */\nexport const x: number = 'a'");
    assert.match(wrong.error!.evalue, /TS2322/);
  });

  it("@jsx turns elements into calls of React.createElement", async () => {
    const result = await kernel().execute(
      "/** @jsx */\nconst React = { createElement: (tag: string, props: object, ...children: unknown[]) => ({ tag, children }) }\nconst e = <b>text</b>;\ne.tag",
    );
    assert.equal(resultText(result), "'b'", plain(result.error?.traceback));
  });
});
