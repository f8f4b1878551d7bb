import assert from "node:assert/strict";
import type { LanguageServiceEngine } from "turnwise-kernel/dist/types/language-service.js";
import { temporaryFolder } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

describe("what a cell adds to global names", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let engine: LanguageServiceEngine;
  before(() => {
    engine = checkerIn(folder(), { strict: true });
  });
  after(() => engine.close());

  /** Checks a cell and, if nothing was found, keeps it; gives what was found. */
  const run = (cell: string): string[] => {
    const found = engine.check(cell).map(({ message }) => message);
    if (found.length === 0) engine.commit(cell);
    return found;
  };

  it("is known to all later cells", () => {
    assert.deepEqual(
      run(
        "declare global { interface Array<T> { lastOne(): T } var counted: number }\nglobalThis.counted = 1",
      ),
      [],
    );
    assert.deepEqual(run("const last: number = [1, 2].lastOne()\ncounted.toFixed()"), []);
    assert.deepEqual(run("counted = 'text'"), ["Type 'string' is not assignable to type 'number'."]);
  });

  it("grows with each cell that adds to the same interface", () => {
    assert.deepEqual(run("declare global { interface Array<T> { firstOne(): T } }"), []);
    assert.deepEqual(run("[1].firstOne() + [2].lastOne()"), []);
  });

  it("is replaced by a cell that says it again, and stays while such a cell has errors", () => {
    assert.deepEqual(run("declare global { var counted: string }\nconst no: number = 'no'"), [
      "Type 'string' is not assignable to type 'number'.",
    ]);
    assert.deepEqual(run("counted.toFixed()"), []);
    assert.deepEqual(run("declare global { var counted: string }"), []);
    assert.deepEqual(run("counted.trim()\n;[1].firstOne() + [2].lastOne()"), []);
  });

  it("may be a part of a module's types", () => {
    assert.deepEqual(run("declare module 'os' { export function nowhere(): string }"), []);
    assert.deepEqual(run("import { nowhere } from 'os'\nconst text: string = nowhere()"), []);
  });
});
