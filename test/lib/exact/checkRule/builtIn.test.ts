import assert from "node:assert/strict";
import { checkRule, custom, recipe, recipeNames, recipes, type RecipeName } from "turnwise";
import type { CheckName, RuleCard } from "turnwise/exact";

const cards = new Map<RecipeName, RuleCard>();

/** A row gives the same card each time: it is made once for the tests that look at all rows. */
function cardOf(name: RecipeName): RuleCard {
  const card = cards.get(name) ?? checkRule(name);
  cards.set(name, card);
  return card;
}

describe("the card of every built-in row", () => {
  for (const name of recipeNames) {
    it(`finds no fault in ${name}`, () => {
      const card = cardOf(name);
      assert.deepEqual(card.failed, []);
      assert.ok(card.passed);
    });
  }

  it("reports no push or pull that is amiss, and of infinity only where an estimate has no limit", () => {
    const verdict = (check: CheckName): string[] =>
      recipeNames.filter((name) => cardOf(name).of(check).verdict !== "passed");
    assert.deepEqual(verdict("push"), []);
    assert.deepEqual(verdict("extreme ratios"), []);
    const unlimited = recipe("grpo", { regularizer: { klReference: { coef: 0.1, form: "trl" } } });
    assert.equal(checkRule(unlimited).of("extreme ratios").verdict, "told");
    assert.deepEqual(verdict("regularizers"), [
      "klCov",
      "starPo",
      "starPoS",
      "seeUpoAuthors",
      "ragenTopP",
      "treeGrpo",
      "rlPlus",
      "dro",
      "gigpo",
      "graphGpo",
      "hcapo",
      "hiper",
      "agentOpsd",
      "hgpo",
      "hierarchicalGrpo",
    ]);
    for (const name of recipeNames) {
      const { "pull to the old policy": pull, "d loss / d entropy": entropy } =
        cardOf(name).of("regularizers").figures;
      assert.ok(pull! >= -1e-12 && entropy! <= 0, name);
    }
  });

  it("tells a bonus for entropy that outweighs the advantages from a wrong sign", () => {
    const regularizer = { entropyCoef: 5 };
    const bonus = checkRule(recipe("reinforce", { regularizer }));
    assert.deepEqual([bonus.failed, bonus.noted], [[], ["expected update"]]);
    assert.match(bonus.of("expected update").hint!, /without it the cosine is 1\. Lower .*entropyCoef, 5\.$/);
    const turned = checkRule(
      recipe("reinforce", {
        regularizer,
        advantage: custom("backwards", (batch) => batch.return_n.map((R) => -R)),
      }),
    );
    assert.ok(turned.failed.includes("expected update"));
    assert.match(turned.of("expected update").hint!, /^It descends/);
  });

  it("is the same twice", () => {
    assert.equal(JSON.stringify(checkRule("seeUpo")), JSON.stringify(cardOf("seeUpo")));
  });

  it("says which rows are unbiased on the games", () => {
    const unbiased = recipeNames.filter((name) =>
      cardOf(name).of("expected update").hint?.startsWith("Unbiased"),
    );
    assert.deepEqual(unbiased, [
      "reinforce",
      "rloo",
      "drGrpo",
      "reMax",
      "dppoTv",
      "dppoKl",
      "pacedRl",
      "seeUpo",
      "perTurnLoo",
      "rae",
    ]);
  });

  it("keeps every built-in row well within the limits by which own ones are judged", () => {
    const paid = recipeNames.filter((name) => recipes[name].reward.environment > 0);
    const figuresOf = (name: RecipeName): Readonly<Record<string, number>> =>
      cardOf(name).of("expected update").figures;
    // Three rows divide parts of the credit by deviations of their own, so that a call's price of 1/8 counts like an answer's 1;
    // one trains a token in five, and leaves the logits of all others where they are; one climbs the best of a group, not the mean;
    // one credits the way to success, whatever the calls on it cost; and one has exponentials of returns, which favor the rare best.
    const apart = [
      "mtGrpo",
      "hgpo",
      "gdpo",
      "highEntropy",
      "grpoPassK",
      "graphGpo",
      "tpo",
    ] as const satisfies readonly RecipeName[];
    const cosines = apart.map((name) => figuresOf(name)["cosine, look up"]!.toFixed(3));
    assert.deepEqual(cosines, ["0.364", "0.643", "0.245", "0.483", "0.645", "0.573", "0.989"]);
    const figures = paid.filter((name) => !(apart as readonly string[]).includes(name)).map(figuresOf);
    const all = (name: string): number[] => figures.map((of) => of[name]!);
    assert.ok(Math.min(...all("cosine, look up")) > 0.8); // limit .75; REINFORCE++ whitens the tokens of one group: .808
    assert.ok(Math.max(...all("wrong signs, look up")) <= 0.25); // limit .4
    assert.ok(Math.min(...all("cosine, two jobs")) > 0.96); // limit .85
    assert.equal(Math.max(...all("wrong signs, two jobs")), 0); // limit 0
  });

  it("does not hold a row that pays no reward of the task against the gradient of the return", () => {
    const { verdict, sentence } = cardOf("onPolicyDistillation").of("expected update");
    assert.equal(verdict, "told");
    assert.equal(
      sentence,
      "It pays no reward of the task, so the exact gradient of the return is not its aim.",
    );
  });

  it("says what biases the others", () => {
    assert.match(
      cardOf("grpo").of("expected update").hint!,
      /^Biased by its deviation \(without it 1\): cosine 0\.9/,
    );
    assert.match(cardOf("loop").of("expected update").hint!, /^Biased by its denominator \(without it 1\)/);
    assert.match(cardOf("hiper").of("expected update").hint!, /^Biased by its discount/);
  });

  it("shows where GRPO lowers J, on a bandit that one can work out by hand", () => {
    const { hint, figures } = cardOf("grpo").of("one step");
    // a pays 1 with probability 1/4, b pays .1; pi(a) = 3/4. In a pair that differs, A = +-1/sqrt 2, else 0:
    //   sqrt 2 E[A | a] = 1/4 (1 - 3/16) - 3/4 (1 - 9/16) = -.125, so a's logit falls and b's rises, by 1/2 each.
    //   The odds of a go from 3 to 3/e = 1.104: J = .25 x .5246 + .1 x .4754 = .1787, from .2125.
    assert.equal(
      hint,
      "By hand: a pays 1 with probability 0.25, b pays 0.1; pi(a) = 0.75. In groups of 2, where a step changes a logit by 0.5 at most, J falls from 0.212 to 0.179.",
    );
    const p = 3 / Math.E / (1 + 3 / Math.E);
    assert.ok(Math.abs(figures["largest fall"]! - (0.2125 - (0.25 * p + 0.1 * (1 - p)))) < 1e-9);
    assert.equal(cardOf("rloo").of("one step").figures["J fell"], 0);
  });

  it("reports padding where the row divides by the largest length, and of turns that only the world takes", () => {
    const drGrpo = cardOf("drGrpo").of("padding");
    assert.equal(drGrpo.verdict, "told");
    // look up: (3 turns x 4 tokens) / (2 x 2) is 3 times the room
    assert.ok(Math.abs(drGrpo.figures["factor by padding"]! - 1 / 3) < 1e-9);
    assert.equal(cardOf("drMas").of("padding").verdict, "told");
    assert.equal(cardOf("grpo").of("padding").verdict, "passed");
  });

  it("tells what a reward moves", () => {
    const sentence = (name: RecipeName): string => cardOf(name).of("groups").sentence;
    assert.equal(sentence("reinforce"), "A reward moves the advantage of its own trajectory alone.");
    assert.equal(sentence("grpo"), "A reward moves the advantages of its group and no others.");
    assert.equal(
      sentence("reinforcePlusPlus"),
      "A reward moves the advantages of its own group and of all others in the batch.",
    );
    assert.match(cardOf("grpo").of("rewards").sentence, /ten times as large change nothing/);
    assert.match(cardOf("rloo").of("rewards").sentence, /ten times as hard/);
  });

  it("reports regularizers: a pull back, an entropy bonus, no drift", () => {
    const told = cardOf("starPo").of("regularizers");
    assert.equal(told.figures["d loss / d entropy"], -0.001);
    // Its KL is charged to the reward, so that no token is pushed for its own sake.
    assert.ok(Math.abs(told.figures["push at ratio 1"]!) < 1e-12);
    const { figures } = checkRule(
      recipe("grpo", { regularizer: { klReference: { coef: 1, estimator: "k2" } } }),
    ).of("regularizers");
    // The slope of k2 = d^2 / 2 is d: .3, summed over tokens whose weights sum to 1
    assert.ok(Math.abs(figures["pull to the old policy"]! - 0.3) < 1e-9);
  });

  it("says of every penalty which divergence its mean is, and crosses one that charges for none", () => {
    const told = (regularizer: object): string =>
      checkRule(recipe("grpo", { regularizer })).of("regularizers").sentence;
    assert.match(
      told({ klReference: { coef: 0.1 } }),
      /^Without an advantage, it pulls tokens back .* In each context, the mean of klReference is KL\(new \|\| reference\), and so is that of its gradient\.$/,
    );
    assert.match(
      told({ klOld: { coef: 0.1, form: "trl" } }),
      /the mean of klOld is chi2\(old \|\| new\) - KL\(old \|\| new\), which is no KL and grows without bound/,
    );
    // As a checkpoint of an earlier version may have it: recipe() would refuse it.
    const grpo = recipe("grpo");
    const k1 = { coef: 0.1, estimator: "k1" } as never;
    const row = { ...grpo, regularizer: { ...grpo.regularizer, klReference: k1 } };
    const card = checkRule(row);
    assert.ok(card.failed.includes("regularizers"));
    const { sentence, hint } = card.of("regularizers");
    assert.equal(sentence, "regularizer.klReference charges for no divergence.");
    assert.match(
      hint!,
      /^Its estimator must be "exact", .* has an expected gradient of 0 and so charges nothing/,
    );
  });

  it("is a card in a notebook, lines as text and plain data", () => {
    const card = cardOf("grpo");
    const bundle = card[Symbol.for("Jupyter.display") as never] as unknown as () => Record<string, string>;
    const shown = bundle.call(card);
    assert.match(shown["text/html"]!, /GRPO: no fault found/);
    assert.match(shown["text/plain"]!, /✓ masked cells/);
    assert.equal(String(card), shown["text/plain"]);
    const { recipe: name, passed, findings } = card.toJSON();
    assert.deepEqual([name, passed, findings.length], ["grpo", true, 16]);
    assert.deepEqual(JSON.parse(JSON.stringify(card)), { recipe: "grpo", own: [], passed: true, findings });
  });

  it("asks for the nearest right name", () => {
    assert.throws(() => checkRule("grpoo" as "grpo"), /Did you mean grpo\?|Did you mean "grpo"/);
  });
});
