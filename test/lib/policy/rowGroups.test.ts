import assert from "node:assert/strict";
import fc from "fast-check";
import { collect, createRng, make, TabularPolicy } from "turnwise";
import { groupByRow } from "turnwise/internal/policy/rowGroups";

describe("cells by row of the table", () => {
  it("stand row after row, rows ascending, in the order in which they were given, also at the second time", () => {
    const rowsOf = fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 60 });
    fc.assert(
      fc.property(rowsOf, (rows) => {
        const row_ntl = Int32Array.from(rows);
        const given = rows.map((_, cell) => cell).filter((cell) => cell % 5 !== 2);
        const wanted = [...given].sort((a, b) => rows[a]! - rows[b]! || a - b);
        for (let time = 0; time < 2; time++) {
          const groups = groupByRow(Int32Array.from(given), row_ntl);
          assert.deepEqual([...groups.cells], wanted);
          assert.deepEqual([...groups.rows], [...new Set(wanted.map((cell) => rows[cell]!))]);
          groups.rows.forEach((row, g) => {
            const part = [...groups.cells.subarray(groups.begins[g], groups.begins[g + 1])];
            assert.ok(part.length > 0 && part.every((cell) => rows[cell] === row));
          });
          assert.equal(groups.begins.at(-1), wanted.length);
        }
      }),
    );
  });
});

describe("an evaluation that nobody reads any more", () => {
  const env = make("LookUp-v0");
  const policy = new TabularPolicy(env.spec, { initialScale: 1, valueHead: true });
  const batch = collect(env, policy, { groups: 4, groupSize: 2, rng: createRng(1) });

  it("lends its arrays to the next one, which has the same numbers as without, other turns included", () => {
    const spent = policy.evaluate(batch);
    const wanted = policy.evaluate(batch, undefined, [1]);
    const again = policy.evaluate(batch, undefined, [1], spent);
    assert.deepEqual(again, wanted);
    assert.equal(again.logProb_ntl, spent.logProb_ntl);
    assert.notEqual(again, spent);
  });

  it("does not lend arrays of another length", () => {
    const other = collect(env, policy, { groups: 1, groupSize: 2, rng: createRng(2) });
    const spent = policy.evaluate(other);
    assert.deepEqual(policy.evaluate(batch, undefined, undefined, spent), policy.evaluate(batch));
  });

  it("spares its backward pass the softmaxes, and only its own: parameters that moved since are seen without it", () => {
    const dLogProb_ntl = Float64Array.from(batch.mask_ntl, (_, i) => 1 + (i % 3));
    const evaluation = policy.evaluate(batch);
    const with_ = policy.backward(batch, { dLogProb_ntl }, undefined, undefined, evaluation);
    assert.deepEqual(with_, policy.backward(batch, { dLogProb_ntl }));
    policy.evaluate(batch);
    policy.parameters[0]! += 1;
    const moved = policy.backward(batch, { dLogProb_ntl });
    assert.notDeepEqual(moved, with_);
    const fresh = policy.evaluate(batch);
    assert.deepEqual(policy.backward(batch, { dLogProb_ntl }, undefined, undefined, fresh), moved);
  });
});
