import assert from "node:assert/strict";
import { playground, recipe } from "turnwise";
import { codeLine, mostChanges, withChange } from "turnwise/internal/play/share";

type Play = ReturnType<typeof playground>;

/** Runs a line of code as a cell does. */
function opened(code: string, row?: unknown): Play {
  const body = code.replace('import { playground } from "turnwise";', "");
  assert.notEqual(body, code);
  assert.doesNotMatch(code, /\n/);
  return new Function("playground", "recipe", `${body} return p;`)(playground, row) as Play;
}

const curveOf = (p: Play): unknown[] => p.records.map(({ update, metrics }) => [update, metrics]);

describe("a run of the playground as a line of code", function () {
  this.timeout(120_000);

  it("is the setting and what was changed after which update", () => {
    const shared = { start: { env: "LookUp-v0", recipe: "grpo" }, updates: 400, hasRule: false };
    assert.equal(
      codeLine({ ...shared, changes: [] }),
      'import { playground } from "turnwise"; const p = playground({ start: { env: "LookUp-v0", recipe: "grpo" }, updates: 400 });',
    );
    assert.match(
      codeLine({ ...shared, changes: [{ after: 12, learningRate: 2 }], hasRule: true }),
      /playground\(\{ recipe, start: \{.*\}, changes: \[\{ after: 12, learningRate: 2 \}\], updates: 400 \}\);$/,
    );
  });

  it("joins changes after the same update, the last of each setting", () => {
    const first = withChange([], 5, { learningRate: 1, epochs: 2 });
    const second = withChange(first, 5, { learningRate: 3 });
    assert.deepEqual(second, [{ after: 5, learningRate: 3, epochs: 2 }]);
    assert.equal(withChange(second, 6, { epochs: 1 }).length, 2);
  });

  it("gives the same curve for a setting that was chosen before the start", async () => {
    const p = playground({ updates: 20 });
    p.set("recipe", "rloo");
    p.set("learningRate", 0.5);
    p.set("seed", 3);
    p.set("groups", 4);
    await p.run();
    const again = opened(p.code);
    await again.run();
    assert.deepEqual(curveOf(again), curveOf(p));
    assert.equal(again.code, p.code);
  });

  it("gives the same curve for a run that was steered, to another row and back, update by update", async () => {
    const p = playground({ updates: 40, start: { seed: 2 } });
    await p.run(5);
    p.set("learningRate", 0.5);
    await p.run(5);
    p.set("recipe", "seeUpo");
    p.set("epochs", 1);
    await p.run(5);
    p.clear();
    await p.run(5);
    p.set("groups", 3);
    await p.run(1);
    p.set("optimizer", "sgd");
    await p.run();
    const again = opened(p.code);
    // The line of a run that has not begun is that of its plan.
    assert.equal(again.code, p.code);
    await again.run();
    assert.deepEqual(curveOf(again), curveOf(p));
    assert.equal(again.code, p.code);
    const plain = playground({ updates: 40, start: { seed: 2 } });
    await plain.run();
    assert.notDeepEqual(curveOf(plain), curveOf(p));
  });

  it("takes a custom row from its variable, and leaves out what waits for a restart", async () => {
    const row = recipe("grpo", { scale: { kind: "none" } });
    const p = playground({ recipe: row, updates: 12 });
    await p.run(3);
    p.set("seed", 9);
    p.set("learningRate", 1);
    await p.run();
    assert.doesNotMatch(p.code, /seed/);
    const again = opened(p.code, row);
    await again.run();
    assert.deepEqual(curveOf(again), curveOf(p));
  });

  it("gives the start alone where more was changed by hand than a line can hold", async () => {
    const p = playground({ updates: 100 });
    for (let change = 0; change <= mostChanges; change++) {
      await p.run(1);
      p.set("learningRate", 1 + change / 10);
    }
    assert.doesNotMatch(p.code, /changes/);
    assert.match(p.code, /start: \{ env: "LookUp-v0", recipe: "grpo" \}/);
  });

  it("refuses changes that no control could make, before anything is trained", () => {
    assert.throws(() => playground({ changes: [{ after: 0, epochs: 2 }] }), {
      message: "Cannot open the playground: after must be an integer >= 1, got 0.",
    });
    assert.throws(() => playground({ changes: [{ after: 3, epochs: 99 }] }), {
      message: "Cannot set epochs: it must be an integer from 1 to 8, got 99.",
    });
  });
});
