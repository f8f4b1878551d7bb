// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { bootstrapInterval, difference, enumerateReturn, GameEnv, recipe, train, type Game } from "turnwise";
import { goodhartArms, optimaUnderVerifiers } from "turnwise-course/reward-signal";
import { type StoredRecord } from "turnwise-course";
import { paidAndTrue } from "turnwise-course/internal/07-reward-signal/drawPaidAndTrue";
import { claimOf, storedLedger } from "./storedLedger";
import { shown, stored } from "./storedTables";

const column = (rows: readonly StoredRecord[], name: string): number[] =>
  rows.map((row) => Number(row[name]));

describe("the full ledger of lesson 07", () => {
  const rows = storedLedger("appendix/07-reward-signal");
  const has = (words: string, expected: string): void => {
    const { measured } = claimOf(rows, words);
    assert.ok(measured.includes(expected), `${expected} in: ${measured}`);
  };
  const verdict = (words: string): string => String(claimOf(rows, words).verdict);

  const goodhart = stored("goodhart");
  const end = (arm: string, name: string, update = 400): number[] =>
    column(
      goodhart.filter((row) => row["arm"] === arm && row["update"] === update),
      name,
    );
  const calculator = stored("reward-calculator");
  const codes = stored("reward-codebreaker");
  const scores = (reward: string, credit: string, from = calculator): number[] =>
    column(
      from.filter((row) => row["reward"] === reward && row["credit"] === credit),
      "score",
    );
  const paired = (a: number[], b: number[]): ReturnType<typeof difference> =>
    difference(a, b, { paired: true });

  it("has eighteen rows, all of which are recomputed below or in rewardSignal.slow.test.ts", () =>
    assert.equal(rows.length, 18));

  it("every stored setting has 40 seeds", () => {
    for (const arm of Object.keys(goodhartArms)) assert.equal(end(arm, "score").length, 40, arm);
    for (const from of [calculator, codes]) {
      for (const reward of ["outcome", "checklist", "verification"]) {
        for (const credit of ["trajectory", "reward"]) assert.equal(scores(reward, credit, from).length, 40);
      }
    }
  });

  it("the fall of the true score, and what a KL penalty keeps of it", () => {
    const fall = paired(end("proxy", "score", 20), end("proxy", "score"));
    has("Who climbs the proxy", `true score ${shown(fall)}`);
    has("The proxy rises", `proxy ${shown(paired(end("proxy", "paid"), end("proxy", "paid", 20)))}`);
    const penalties = ["exact KL .1", "exact KL 1", "k3 .1", "k3 1"];
    const kept = penalties.map(
      (name) => `${name} ${shown(paired(end(`proxy, ${name}`, "score"), end("proxy", "score")))}`,
    );
    has(
      "A KL penalty",
      `no penalty ${shown(bootstrapInterval(end("proxy", "score")))}; penalty - none: ${kept.join(", ")}`,
    );
    const improved = penalties.map(
      (name) =>
        `${name} ${shown(paired(end(`proxy, ${name}`, "score"), end(`proxy, ${name}`, "score", 20)))}`,
    );
    has("With the penalty", `last - first twentieth: ${improved.join(", ")}`);
  });

  it("the nine ways to pay for steps, and that verification under the whole return is the outcome itself", () => {
    const at = (reward: string, credit: string): string => shown(bootstrapInterval(scores(reward, credit)));
    const gap = (reward: string, credit: string, from = calculator): string =>
      shown(paired(scores(reward, credit, from), scores("outcome", credit, from)));
    const three = (reward: string): string =>
      `whole return ${gap(reward, "trajectory")}, from the turn on ${gap(reward, "rewardToGo")}, own reward ${gap(reward, "reward")}`;
    assert.deepEqual(scores("verification", "trajectory"), scores("outcome", "trajectory"));
    has(
      "A sparse outcome",
      `whole return ${at("outcome", "trajectory")}, from the turn on ${at("outcome", "rewardToGo")}, own ${at("outcome", "reward")}`,
    );
    has(
      "A checklist teaches",
      `whole return ${at("checklist", "trajectory")}, own reward ${at("checklist", "reward")}; minus outcome: ${three("checklist")}`,
    );
    has("Automatic verification", `minus outcome: ${three("verification")}`);
    assert.equal(
      verdict("Automatic verification"),
      "holds if credit = reward of {trajectory, rewardToGo, reward}",
    );
    has(
      "Credit per turn",
      `checklist ${shown(paired(scores("checklist", "reward"), scores("checklist", "trajectory")))}`,
    );
    has(
      "A checklist helps",
      `Codebreaker-v0, trajectory ${gap("checklist", "trajectory", codes)}, Codebreaker-v0, reward ${gap("checklist", "reward", codes)}`,
    );
  });

  it("the curriculum, from the stored runs", () => {
    const mazes = stored("curriculum");
    const of = (arm: string): StoredRecord[] => mazes.filter((row) => row["arm"] === arm);
    const last = (arm: string): number[] =>
      column(
        of(arm).filter((row) => row["update"] === 150),
        "hardest",
      );
    const area = (arm: string): number[] =>
      Array.from({ length: 40 }, (_, seed) => {
        const own = column(
          of(arm).filter((row) => row["seed"] === seed),
          "hardest",
        );
        return own.reduce((a, b) => a + b) / own.length;
      });
    has("An adaptive curriculum", `difference ${shown(paired(last("adaptive"), last("hardest only")))}`);
    has("It ends higher", `update 150: ${shown(paired(last("adaptive"), last("uniform")))}`);
    has("It is faster", `mean of all updates: ${shown(paired(area("adaptive"), area("uniform")))}`);
  });

  it("verifiers that fail: the best policies by hand, the training from the stored runs", () => {
    // An answer that is always accepted is worth 1 at once, and right one time in four; errors at random leave the order alone.
    const { "always accepts 2": hole, "errs at random": noise } = optimaUnderVerifiers();
    assert.deepEqual([hole.J, hole.low.toFixed(3), hole.high.toFixed(3)], [1, "0.250", "1.000"]);
    // A right answer is accepted in 13 cases of 16: 13/16 - 1/3 * 3/16 = .75.
    assert.deepEqual([noise.J.toFixed(12), noise.low.toFixed(3)], ["0.750000000000", "1.000"]);
    has("A verifier that fails leaves", "always accepts 2 0.250 to 1.000");
    const last = (verifier: string): number[] =>
      column(
        stored("verifier").filter((row) => row["verifier"] === verifier && row["update"] === 200),
        "score",
      );
    assert.equal(last("never errs").length, 40);
    const lost = ["errs at random", "errs twice as often", "always accepts 2"].map(
      (name) => `${name} ${shown(paired(last("never errs"), last(name)))}`,
    );
    has("A verifier that fails spoils", `lost: ${lost.join(", ")}`);
  });
});

describe("what lesson 07 says and shows", () => {
  const rows = storedLedger("07-reward-signal");

  it("its six rows have verdicts of the full ledger", () => {
    const full = storedLedger("appendix/07-reward-signal").map(({ verdict }) => String(verdict));
    assert.equal(rows.length, 6);
    for (const { verdict } of rows) assert.ok(full.includes(String(verdict)), String(verdict));
  });

  it("climbing the proxy, the true score rises first and then falls, and the proxy rises throughout", () => {
    const mean = (update: number, name: string): number =>
      bootstrapInterval(
        column(
          stored("goodhart").filter((row) => row["arm"] === "proxy" && row["update"] === update),
          name,
        ),
      ).mean;
    assert.ok(mean(20, "score") < mean(80, "score") && mean(80, "score") > mean(400, "score"));
    assert.ok(mean(20, "score") > mean(400, "score") && mean(400, "paid") > mean(80, "paid"));
    const ends = column(
      stored("goodhart").filter((row) => row["arm"] === "proxy" && row["update"] === 400),
      "score",
    );
    // "About a third end at the blind guess of 1/4": 13 of 40 at .3 or below.
    assert.equal(ends.filter((score) => score <= 0.3).length, 13);
  });

  it("no agent that is paid for the outcome finds the calculator; nearly all do with the checklist", () => {
    const over = (reward: string, credit: string): number =>
      stored("reward-calculator").filter(
        (row) => row["reward"] === reward && row["credit"] === credit && Number(row["score"]) > 0.5,
      ).length;
    assert.deepEqual([over("outcome", "trajectory"), over("outcome", "reward")], [0, 0]);
    assert.deepEqual([over("checklist", "trajectory"), over("checklist", "reward")], [38, 40]);
  });

  it("where the marks of its last figure part, the reward was climbed without the task", () => {
    const at = (reward: string): { paid: number; score: number } =>
      paidAndTrue().find((row) => row.reward === reward)!;
    const hole = at("verifier that always accepts 2");
    assert.ok(hole.paid > 0.99 && hole.score < 0.3);
    const noise = at("verifier that errs at random");
    assert.ok(noise.paid < 0.77 && noise.score > 0.98);
    const sparse = at("outcome, a tool to be found");
    assert.ok(Math.abs(sparse.paid - sparse.score) < 0.01 && sparse.score < 0.3);
  });
});

/** Lesson 07, section 6: guess (right in 4 of 10), or call, which is paid .5 that is taken back unless the answer (right in 2 of 10) is. */
function guessOrCall(): GameEnv<number> {
  const seen = { tokens: [2], text: "guess or call?" };
  const answer = { tokens: [3], text: "now answer" };
  const end = (probability: number, reward: number): ReturnType<Game<number>["transition"]>[number] => ({
    ...{ probability, state: 2, observation: answer, reward, terminated: true },
  });
  return new GameEnv<number>({
    spec: {
      id: "GuessOrCall-v0",
      skill: "not to take a bonus that will be taken back",
      vocabulary: ["guess", "call"],
      observationVocabulary: ["question", "answer"],
      maxTurns: 2,
      maxTokens: 1,
      options: {},
    },
    start: () => [{ probability: 1, state: 0, observation: seen, reward: 0, terminated: false }],
    transition: (state, [token]) => {
      if (state === 1) return [end(0.2, 0.5), end(0.8, -0.5)];
      if (token === 0) return [end(0.4, 1), end(0.6, 0)];
      return [{ probability: 1, state: 1, observation: answer, reward: 0.5, terminated: false }];
    },
    render: (state) => `turn ${String(state + 1)}`,
  });
}

describe("a bonus that is given back, in lesson 07", () => {
  const returnOf = async (
    rule: Parameters<typeof recipe>[1],
    name: "grpo" | "ppo" = "grpo",
  ): Promise<number> => {
    const update = { epochs: 1, minibatches: 1, optimizer: { kind: "sgd", learningRate: 1 } } as const;
    const run = train({
      env: guessOrCall(),
      recipe: recipe(name, { scale: "none", update, ...rule }),
      ...{ updates: 150, groups: 16, groupSize: 16, seed: 1 },
    });
    for await (const _ of run);
    return enumerateReturn(run.env, run.policy, { gradient: false }).J;
  };

  it("keeps the best policy for a rule that climbs the sum: it guesses, and earns .4", async () => {
    assert.ok((await returnOf({})) > 0.38);
  });

  it("leads a rule that credits a turn with its own reward to call, which earns .2", async () => {
    assert.ok((await returnOf({ advantage: { kind: "perTurn", credit: "reward" } })) < 0.22);
  });

  it("is seen and kept safe by a critic", async () => {
    assert.ok((await returnOf({}, "ppo")) > 0.38);
  });
});
