import assert from "node:assert/strict";
import { checkRule, custom, recipe, type Batch, type Recipe } from "turnwise";
import { faults } from "./faults.js";

const leaky = (read: (batch: Batch, i: number) => number): Recipe => {
  // A function is tried on other masked cells when it first meets a batch; this one behaves until then.
  let calls = 0;
  return recipe("rloo", {
    advantage: custom("leaky", (batch) => {
      calls++;
      const width = batch.shape[1] * batch.shape[2];
      return batch.return_n.map((R, n) => {
        let masked = 0;
        for (let i = n * width; i < (n + 1) * width; i++)
          if (batch.mask_ntl[i] === 0) masked += read(batch, i);
        return calls > 3 ? R + masked : R;
      });
    }),
  });
};

describe("checkRule() on rules with one mistake each", () => {
  for (const { mistake, row, found } of faults) {
    it(`finds ${mistake}: "${found}"`, () => {
      const card = checkRule(row);
      // What breaks no promise cannot be told from a bad idea: it is noted.
      const shown = found === "expected update" ? [...card.failed, ...card.noted] : card.failed;
      assert.ok(shown.includes(found), `${shown.join(", ")}\n${String(card)}`);
    });
  }

  it("looks at masked cells itself, whatever the function's own trial saw", () => {
    const logProbs = checkRule(
      leaky((batch, i) => (Number.isNaN(batch.oldLogProb_ntl[i]!) ? 0 : batch.oldLogProb_ntl[i]!)),
    );
    assert.match(logProbs.of("masked cells").sentence, /^What stands in masked cells changes the update by/);
    const tokens = checkRule(leaky((batch, i) => batch.token_ntl[i]!));
    assert.ok(tokens.failed.includes("masked cells"));
  });

  it("tells once what a rule throws, by the check that it is about", () => {
    const { row } = faults.find(({ found }) => found === "equal rewards")!;
    const card = checkRule(row);
    assert.deepEqual(card.failed, ["equal rewards"]);
    assert.equal(
      card.of("equal rewards").sentence,
      'Cannot apply advantage "no epsilon": it must return finite numbers, but trajectory 0 is NaN.',
    );
    assert.match(card.of("equal rewards").hint!, /add an epsilon/);
    assert.equal(card.of("expected update").verdict, "told");
    assert.equal(card.of("expected update").sentence, 'Not run: the rule throws, see "equal rewards".');
  });
});
