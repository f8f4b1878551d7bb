import assert from "node:assert/strict";
import {
  calculatorTasks,
  groupValues,
  make,
  preferenceLoss,
  recipe,
  scriptedBatch,
  tokenCredit,
  type Batch,
} from "turnwise";
import { assertClose, batchOf } from "./support";

const words = (text: string): string[] => text.split(" ");
const call = words("CALL 3 ^ 1 7 mod 4 1 END");
const env = make("Calculator-v0", { syntax: "digits", tasks: calculatorTasks(3, 8).slice(0, 1) });
/** Returns 1, 0 and 0; 12, 13 and 3 tokens. */
const batch = scriptedBatch(env, [
  [call, words("ANSWER 3 END")],
  [call, words("ANSWER 3 3 END")],
  [words("ANSWER 7 END")],
]);
const [, T, L] = batch.shape;
const first = (own: Float64Array, n: number, t: number): number => own[(n * T + t) * L]!;

describe("tokenCredit", () => {
  it("is advantage times loss weight: by hand for means over tokens of a trajectory and of the batch", () => {
    // Advantages 2/3, -1/3, -1/3. Mean per trajectory, then over three: 2/3 / (3 * 12), -1/3 / (3 * 13), -1/3 / (3 * 3).
    const perTrajectory = tokenCredit(batch, recipe("grpo", { scale: "none" }));
    const close = (x: number, y: number): void => assert.ok(Math.abs(x - y) < 1e-12, `${x} against ${y}`);
    close(first(perTrajectory, 0, 0), 2 / 3 / 36);
    close(first(perTrajectory, 1, 1), -1 / 3 / 39);
    close(first(perTrajectory, 2, 0), -1 / 3 / 9);
    // Over all 28 tokens of the batch.
    const perBatch = tokenCredit(batch, recipe("grpo", { scale: "none", aggregate: "tokenMean" }));
    close(first(perBatch, 0, 0), 2 / 3 / 28);
    close(first(perBatch, 2, 0), -1 / 3 / 28);
  });

  it("needs no reference or entropy for rows that regularize by them", () => {
    for (const name of ["gigpo", "seeUpoAuthors"] as const) {
      assert.ok(tokenCredit(batch, recipe(name)).every(Number.isFinite), name);
    }
  });

  it("gives masked cells nothing", () => {
    const credit = tokenCredit(batch, recipe("grpo"));
    batch.mask_ntl.forEach((mask, i) => assert.ok(mask === 1 || credit[i] === 0));
  });
});

describe("groupValues", () => {
  it("is the mean return to go of those who have seen and written the same", () => {
    const value_nt = groupValues(batch);
    // All: 1/3. After the call, the first two: 1/2. The third has only one turn; behind the end 0.
    assert.deepEqual(
      Array.from(value_nt, (x) => Number(x.toFixed(6))),
      [1 / 3, 1 / 2, 0, 1 / 3, 1 / 2, 0, 1 / 3, 0, 0].map((x) => Number(x.toFixed(6))),
    );
  });

  it("keeps tasks apart", () => {
    const apart: Batch = { ...batch, groupId: ["a", "b", "c"] };
    assert.deepEqual([...groupValues(apart)], [1, 1, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("preferenceLoss", () => {
  const input = { chosen: 0, rejected: 2 };

  it("is log 2 at the reference, and pushes every token of a trajectory by beta / 2", () => {
    const { loss, dLogProb_ntl } = preferenceLoss(batch, { ...input, beta: 0.2 });
    assert.ok(Math.abs(loss - Math.log(2)) < 1e-12);
    for (let i = 0; i < dLogProb_ntl.length; i++) {
      const n = Math.floor(i / (T * L));
      const expected = batch.mask_ntl[i] === 1 ? [-0.1, 0, 0.1][n]! : 0;
      assert.ok(Math.abs(dLogProb_ntl[i]! - expected) < 1e-12);
    }
  });

  it("is -log sigma of beta times the difference of log-ratios, by hand", () => {
    const pair = batchOf({ groupId: ["a", "a"], return_n: [1, 0], tokens: 2 });
    // Old log-probs are -1. Sums of log pi - log ref: .5 + .5 = 1 and -1 + 0 = -1; margin .1 * 2 = .2.
    const logProb_ntl = [-0.5, -0.5, -2, -1];
    const right = preferenceLoss(pair, { chosen: 0, rejected: 1, logProb_ntl });
    // log(1 + exp(-.2)) = .5981389; .1 / (1 + exp(.2)) = .0450166.
    assertClose([right.loss], [0.5981389], 1e-7);
    assertClose(right.dLogProb_ntl, [-0.0450166, -0.0450166, 0.0450166, 0.0450166], 1e-7);
    // The other way round: log(1 + exp(.2)) = .7981389; .1 / (1 + exp(-.2)) = .0549834.
    const wrong = preferenceLoss(pair, { chosen: 1, rejected: 0, logProb_ntl });
    assertClose([wrong.loss], [0.7981389], 1e-7);
    assertClose(wrong.dLogProb_ntl, [0.0549834, 0.0549834, -0.0549834, -0.0549834], 1e-7);
    const moved = preferenceLoss(pair, { chosen: 0, rejected: 1, logProb_ntl, refLogProb_ntl: logProb_ntl });
    assertClose([moved.loss], [Math.log(2)], 1e-12);
  });

  it("agrees with finite differences away from the reference", () => {
    const logProb_ntl = batch.oldLogProb_ntl.map((x, i) => x + 0.3 * Math.sin(i));
    const { dLogProb_ntl } = preferenceLoss(batch, { ...input, logProb_ntl });
    for (const i of [0, 5, L, 2 * T * L, 2 * T * L + 1]) {
      const at = (h: number): number => {
        const moved = logProb_ntl.slice();
        moved[i]! += h;
        return preferenceLoss(batch, { ...input, logProb_ntl: moved }).loss;
      };
      assert.ok(Math.abs((at(1e-5) - at(-1e-5)) / 2e-5 - dLogProb_ntl[i]!) < 1e-9);
    }
  });

  it("stays finite for a margin of thousands of nats", () => {
    const far = (sign: number): Float64Array =>
      batch.oldLogProb_ntl.map((x, i) => x + (i < T * L ? sign * 1e4 : 0));
    assert.ok(Number.isFinite(preferenceLoss(batch, { ...input, logProb_ntl: far(-1) }).loss));
    assert.equal(preferenceLoss(batch, { ...input, logProb_ntl: far(1) }).loss, 0);
  });

  it("refuses one row for both, rows that are not there, and beta 0", () => {
    assert.throws(() => preferenceLoss(batch, { chosen: 1, rejected: 1 }), {
      name: "RangeError",
      message:
        "Cannot compute the preference loss: chosen and rejected must be two rows from 0 to 2, got 1 and 1.",
    });
    for (const row of [-1, 3, 0.5]) {
      for (const rows of [
        { chosen: row, rejected: 0 },
        { chosen: 0, rejected: row },
      ]) {
        assert.throws(() => preferenceLoss(batch, rows), {
          message:
            "Cannot compute the preference loss: chosen and rejected must be two rows from 0 to 2, " +
            `got ${rows.chosen} and ${rows.rejected}.`,
        });
      }
    }
    for (const name of ["logProb_ntl", "refLogProb_ntl"]) {
      const wanted = `${3 * T * L} (3 x ${T} x ${L})`;
      assert.throws(() => preferenceLoss(batch, { ...input, [name]: [0] }), {
        name: "TypeError",
        message: `Cannot compute the preference loss: ${name} must have ${wanted} entries, got 1.`,
      });
    }
    assert.throws(() => preferenceLoss(batch, { ...input, beta: 0 }), {
      name: "RangeError",
      message: "Cannot compute the preference loss: beta must be above 0, got 0.",
    });
  });
});
