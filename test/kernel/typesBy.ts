import assert from "node:assert/strict";
import type { TypeEngine } from "turnwise-kernel/dist/types/engine.js";

/** What a checker of types must know of cells and say of them. */
export function describeTypesBy(title: string, create: () => TypeEngine): void {
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
