import assert from "node:assert/strict";
import { checkEnv, enumerateReturn, type Batch, type GameEnv, type Policy, TabularPolicy } from "turnwise";
import { randomReturn } from "turnwise/exact";
import { addedOptimum, bankRun, managedOptimum } from "turnwise-course/internal/systems/enumerated/bank";
import { bankEnv, operated } from "turnwise-course/internal/systems/enumerated/bankWorld";
import { enumeratedClaims } from "turnwise-course/internal/systems/enumerated/claims";
import { drawMemoryBank, drawNextStates, drawOmission, drawSkills } from "turnwise-course/systems";
import { enumeratedSeeds, enumeratedSettings } from "turnwise-course/internal/systems/enumerated/design";
import { commonestSuccess, priorLogit, withAction } from "turnwise-course/internal/systems/enumerated/grow";
import {
  directivePull,
  lessonOf,
  withDirective,
} from "turnwise-course/internal/systems/enumerated/nextState";
import {
  majorityError,
  nextStateEnv,
  WORDS,
} from "turnwise-course/internal/systems/enumerated/nextStateWorld";
import { omissionOptimum, omissionRun } from "turnwise-course/internal/systems/enumerated/omission";
import {
  fullReading,
  omissionEnv,
  type Omission,
} from "turnwise-course/internal/systems/enumerated/omissionWorld";
import {
  enumeratedRate,
  enumeratedRun,
  type EnumeratedRun,
} from "turnwise-course/internal/systems/enumerated/run";
import { knownAfterGrowth, skillRun } from "turnwise-course/internal/systems/enumerated/skills";
import { routines, skillEnv } from "turnwise-course/internal/systems/enumerated/skillWorld";

const close = (a: number, b: number, within = 1e-9): void =>
  assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);

const once = { rate: 0.1, seed: 9000, report: () => undefined };

/** A policy that says the word that a function chooses for the last observation's text. */
function saying(env: GameEnv<never>, word: (text: string) => string): Policy {
  const { vocabulary } = env.spec;
  return {
    contextOf: ({ observations }: { observations: readonly { text: string }[] }) => observations.at(-1)!.text,
    nextTokenLogProb: (text: string) =>
      Float64Array.from(vocabulary, (one) => (one === word(text) ? 0 : -Infinity)),
  } as unknown as Policy;
}

describe("the world in which reading costs", () => {
  const J = (world: Omission, word: (text: string) => string): number => {
    const env = omissionEnv(world) as unknown as GameEnv<never>;
    return enumerateReturn(env, saying(env, word), { gradient: false }).J;
  };
  const answering = (page: (last: string) => string) => (text: string) => {
    const pages = text.split(", ");
    if (pages.at(-1) !== "question") return page(pages.at(-1)!);
    const fact = pages.find((one) => one.startsWith("value"));
    return fact ? fact.replace("value", "answer") : "answer-1";
  };

  it("keeps the contract of environments, whatever it pays", () => {
    for (const pay of ["answer", "answer and saving", "answer and saving, not gated", "units"] as const)
      checkEnv(omissionEnv({ pay, weight: 0.2 }));
    checkEnv(omissionEnv({ pay: "answer", canOmit: false }));
  });

  it("has the costs that one counts by hand", () => {
    // Everything: 1 + 2 + 3 pages, three again at the question, three thoughts.
    assert.equal(fullReading, 12);
    close(
      J(
        { pay: "units" },
        answering(() => "think, keep"),
      ),
      12,
    );
    // Where pages cannot be left out, they are kept.
    close(
      J(
        { pay: "units", canOmit: false },
        answering(() => "think, omit"),
      ),
      12,
    );
    // The value alone: three pages as they come, a thought, and again at 3, 2 or 1 turns: 3 + 1 + 2.
    const noting = answering((page) => (page.startsWith("value") ? "think, keep" : "omit"));
    close(J({ pay: "units" }, noting), 6);
    close(J({ pay: "answer" }, noting), 1);
    // Without a thought it costs 5, and is wrong four times of ten.
    const hasty = answering((page) => (page.startsWith("value") ? "keep" : "omit"));
    close(J({ pay: "units" }, hasty), 5);
    close(J({ pay: "answer" }, hasty), 0.6);
    // Leaving out everything: three pages as they come, and a guess among three.
    close(
      J(
        { pay: "units" },
        answering(() => "omit"),
      ),
      3,
    );
    close(
      J(
        { pay: "answer" },
        answering(() => "omit"),
      ),
      1 / 3,
    );
  });

  it("pays the saving with its weight, after a right answer only or always", () => {
    const guess = answering(() => "omit");
    // .8 / 3 + .2 * .75 / 3, and .8 / 3 + .2 * .75
    close(J({ pay: "answer and saving", weight: 0.2 }, guess), (0.8 + 0.15) / 3);
    close(J({ pay: "answer and saving, not gated", weight: 0.2 }, guess), 0.8 / 3 + 0.15);
  });

  it("has an optimum that stays right while the saving is gated, and guesses where a large saving is not", () => {
    const best = omissionOptimum({ pay: "answer and saving", weight: 0.8 });
    close(best.success, 1);
    close(best.units, 6);
    close(best.J, 0.2 + 0.8 * 0.5);
    close(omissionOptimum({ pay: "answer and saving, not gated", weight: 0.5 }).J, 0.5 + 0.5 * 0.5);
    // .2 + .8 * .5 = .6 is less than .2 / 3 + .8 * .75 = .667.
    const hurried = omissionOptimum({ pay: "answer and saving, not gated", weight: 0.8 });
    close(hurried.success, 1 / 3);
    close(hurried.units, 3);
    close(hurried.J, 0.2 / 3 + 0.6);
  });

  it("measures a trained agent by its answers and its reading, whatever it is paid", async () => {
    const run = await omissionRun("paid for saving always", once);
    // .8 of the answers, and .2 of the saving.
    close(run.trained, 0.8 * run.success + 0.2 * (1 - run.second / 12));
    assert.equal(run.samples, 120 * 64);
    assert.equal(run.steps, 4 * run.samples);
  });
});

describe("skills that are added on the way", () => {
  it("keeps the contract of environments, with an added action and without", () => {
    for (const more of [1, 2, 3]) {
      checkEnv(skillEnv({ more }));
      checkEnv(skillEnv({ more, skill: [0, 1, 2] }));
    }
    assert.throws(() => routines(4), /more must be one of 1, 2 and 3, got 4/);
  });

  it("has the chances that one works out by hand", () => {
    assert.deepEqual(routines(2), [
      [0, 1, 2],
      [3, 0, 1, 2, 1],
      [0, 0, 1, 2, 2],
    ]);
    // Three presses of four buttons once, five twice.
    close(randomReturn(skillEnv({ more: 2 })), (1 / 64 + 2 / 1024) / 3);
    // With the skill there are five words. Short: the skill or three presses; long: the skill between two presses, or five presses.
    const short = 1 / 5 + 1 / 125;
    close(randomReturn(skillEnv({ more: 2, skill: [0, 1, 2] })), (short + 2 * (1 / 125 + 1 / 3125)) / 3);
  });

  it("finds the commonest solved episode, the first of equals, and none where none was solved", () => {
    // Episodes of up to two turns: 1 2 | 0 1 | 1 2 | 3, of which the second failed.
    const batch = {
      shape: [4, 2, 1] as const,
      token_ntl: Int32Array.of(1, 2, 0, 1, 1, 2, 3, 0),
      turnCount_n: Int32Array.of(2, 2, 2, 1),
    };
    assert.deepEqual(commonestSuccess({ ...batch, return_n: Float64Array.of(1, 0, 1, 1) }), [1, 2]);
    assert.deepEqual(commonestSuccess({ ...batch, return_n: Float64Array.of(0, 0, 1, 1) }), [1, 2]);
    assert.equal(commonestSuccess({ ...batch, return_n: new Float64Array(4) }), undefined);
  });

  it("gives a new action its prior in every context, and leaves the others in proportion", () => {
    // e^0 + e^(log 3) = 4; a probability of 1/4 is odds of 1/3: 4/3.
    close(priorLogit([0, Math.log(3)], 0.25), Math.log(4 / 3));
    const old = skillEnv({ more: 1 });
    const table = new TabularPolicy(old.spec, { memory: "observation" });
    const first = String(old.spec.vocabulary.length);
    table.restore({ name: "tabular", parameters: [Math.log(2), 0, 0, 0], extra: [first] });
    const world = skillEnv({ more: 1, skill: [0, 1, 2] });
    const grown = withAction(table, world, 0.25);
    // Before 2/5 and 1/5 each, then three quarters of that; a context that was never met is uniform but for the prior.
    const probabilities = (context: string) => [...grown.nextTokenLogProb(context, [])].map(Math.exp);
    [0.3, 0.15, 0.15, 0.15, 0.25].forEach((p, v) => close(probabilities("5")[v]!, p));
    [0.1875, 0.1875, 0.1875, 0.1875, 0.25].forEach((p, v) => close(probabilities("7")[v]!, p));
  });

  it("loses of what was known what a new action takes", () => {
    close(knownAfterGrowth(0.25), 0.25 + 0.75 ** 3);
    close(knownAfterGrowth(0.01), 0.01 + 0.99 ** 3);
  });

  it("counts the episodes of both parts and of the search for a skill, and a skill as all of its presses", async () => {
    const grown = await skillRun({ arm: "skill, prior 1/4", more: 1 }, once);
    const plain = await skillRun({ arm: "buttons alone", more: 1 }, once);
    assert.equal(grown.samples, 101 * 64);
    assert.equal(plain.samples, grown.samples);
    assert.equal(plain.optimizerSteps, grown.optimizerSteps);
    assert.ok(grown.steps >= grown.samples && plain.steps <= 4 * plain.samples);
    // The first parts are alike, so the added action alone takes from what was known.
    assert.ok(grown.second < plain.second);
  });
});

describe("learning from each next state", () => {
  const uniform = new Float64Array(WORDS).fill(-Math.log(WORDS));

  it("keeps the contract of environments", () => {
    checkEnv(nextStateEnv({ error: 0.2, accepted: 0.5, wrong: 0.1 }));
    close(randomReturn(nextStateEnv({ error: 0.2, accepted: 0.5, wrong: 0.1 })), 1 / 512);
  });

  it("errs with a majority less often than with one judge", () => {
    // All three err, or two of them: .008 + 3 * .04 * .8.
    close(majorityError(0.2), 0.008 + 0.096);
  });

  it("reads a directive as 4 nats on the word that it names, in the same policy", () => {
    const read = withDirective(uniform, 3);
    close(
      [...read].reduce((sum, logProb) => sum + Math.exp(logProb), 0),
      1,
    );
    close(read[3]! - read[0]!, 4);
  });

  it("raises all words that were not said alike at the said word, and the named one at all words", () => {
    const uneven = Float64Array.of(0.3, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1).map(Math.log);
    for (const logProbs of [uniform, uneven])
      close(directivePull(logProbs, { said: 0, directive: 1, other: 2 }).said, 0);
    // 4 / 8 at a uniform policy.
    close(directivePull(uniform, { said: 0, directive: 1, other: 2 }).all, 0.5);
    close(directivePull(uneven, { said: 0, directive: 1, other: 2 }).all, 0.4);
  });

  it("adds votes and directives as advantages, and drops a reply that has neither", () => {
    // One episode: word 0 with a vote of -1 and a directive of word 1; word 2 with a vote of 1; word 3 with a vote of -1.
    const batch = {
      shape: [1, 3, 1],
      token_ntl: Int32Array.of(0, 2, 3),
      mask_ntl: Uint8Array.of(1, 1, 1),
      turnCount_n: Int32Array.of(3),
      info_nt: [
        [
          { vote: -1, directive: 1 },
          { vote: 1, directive: -1 },
          { vote: -1, directive: -1 },
        ],
      ],
    } as unknown as Batch;
    const logProbs = Float64Array.from([0, 1, 2].flatMap(() => [...uniform]));
    // log nu - log pi of an unnamed word is - log(1 + (e^4 - 1) / 8).
    const directive = -Math.log(1 + (Math.exp(4) - 1) / 8);
    const of = (arm: Parameters<typeof lessonOf>[0]) => lessonOf(arm, batch, logProbs);
    const same = (got: ArrayLike<number>, wanted: readonly number[]): void =>
      wanted.forEach((x, i) => close(got[i]!, x));
    same(of("votes").advantage_ntl, [-1, 1, -1]);
    same(of("votes and directives").advantage_ntl, [-1 + directive, 1, -1]);
    same(of("directives at the said word").advantage_ntl, [directive, 0, 0]);
    same(of("directives at the said word").batch.mask_ntl, [1, 0, 0]);
    same(of("directives at all words").batch.mask_ntl, [1, 0, 0]);
    same(of("directives at all words").refLogProb_ntlv!.subarray(0, WORDS), [...withDirective(uniform, 1)]);
  });
});

describe("a memory that is managed", () => {
  const [a1, a2, b1] = [6, 7, 8];

  it("keeps the contract of environments, whatever the manager may do", () => {
    checkEnv(bankEnv());
    checkEnv(bankEnv(["add"]));
  });

  it("adds, updates, deletes and leaves alone", () => {
    const about = { entity: 0, value: 1 };
    assert.deepEqual(operated([a1, b1], about, "add"), [b1, a2]);
    assert.deepEqual(operated([a1, b1], about, "update"), [b1, a2]);
    assert.deepEqual(operated([b1], about, "update"), [b1]);
    assert.deepEqual(operated([a1, b1], about, "delete"), [b1]);
    assert.deepEqual(operated([a1, b1], about, "noop"), [a1, b1]);
    assert.deepEqual(operated([a1, b1], undefined, "delete"), [a1, b1]);
  });

  it("loses what one works out by hand if everything is added, and nothing if it is managed", () => {
    // The first message is about a, say. a is asked for and neither of the last two messages is about it: 9/25, and then b was not named with
    // 3/5 * 1/3 * 1/3 = 1/15, so a is asked for with 1/15 + 14/30: .192. b is asked for and only the second message is about it: .4 * .36 / 2 =
    // .072. The answer is then a guess among two.
    close(addedOptimum(), 1 - (0.192 + 0.072) / 2);
    close(managedOptimum(), 1);
  });

  it("counts what a run cost", async () => {
    const run = await bankRun("all four, GRPO", once);
    assert.equal(run.samples, 200 * 64);
    assert.equal(run.steps, 5 * run.samples);
    assert.equal(run.optimizerSteps, 800);
  });
});

describe("the study of the four systems", () => {
  it("takes a setting's rate from its own tuning, and the smallest of equals", () => {
    const [setting, other] = enumeratedSettings as [EnumeratedRun, EnumeratedRun];
    const run = (rate: number, trained: number) => ({ ...setting, rate, trained });
    const tuning = [0.0125, 0.025, 0.05, 0.1, 0.2, 0.4].flatMap((rate) => [
      run(rate, rate === 0.05 || rate === 0.2 ? 0.9 : 0.1),
      { ...run(rate, rate), arm: other.arm },
    ]);
    assert.equal(enumeratedRate(tuning, setting), 0.05);
    assert.equal(enumeratedRate(tuning, other), 0.4);
  });

  it("trains any setting by its names", async () => {
    const setting = enumeratedSettings.find(({ system }) => system === "next states")!;
    const run = await enumeratedRun({ cell: { ...setting, rate: 0.2 }, seed: 9001 });
    assert.equal(run.arm, setting.arm);
    assert.equal(run.steps, 3 * run.samples);
    assert.ok(run.second <= 1 && run.second >= 0);
  });

  it("decides the systems that have runs, and no other", () => {
    const runs = enumeratedSettings
      .filter(({ system }) => system === "memory bank")
      .flatMap((setting) =>
        enumeratedSeeds.study.map(
          (seed) => ({ ...setting, seed, success: 0.9 + 0.001 * (seed % 3) }) as EnumeratedRun,
        ),
      );
    assert.deepEqual(
      enumeratedClaims(runs).map(({ verdict }) => verdict.text),
      ["holds", "no effect that matters", "no effect that matters", "refuted", "holds"],
    );
  });

  it("draws each system with a title that states its means", () => {
    const rows = enumeratedSettings.flatMap((setting) =>
      enumeratedSeeds.study.map((seed) => ({
        ...setting,
        seed,
        success: setting.arm.length / 100,
        second: 0.25,
      })),
    );
    const texts = [drawOmission, drawSkills, drawNextStates, drawMemoryBank].map((draw) => {
      const { spec } = draw(rows) as unknown as { spec: { title: { text: string; subtitle: string } } };
      return [spec.title.text, spec.title.subtitle.replace("; dots: 40 seeds, their outcomes exact", "")];
    });
    // The success of each arm is the length of its name in hundredths.
    assert.deepEqual(texts, [
      ["Paid for saving too, it reads 0.25 of 12 units, not 0.25", "right in 0.19 and 0.16 of the episodes"],
      [
        "With 3 presses around it, a skill solves 0.16, buttons alone 0.13",
        "that is at prior 1/4; at .01, 0.16",
      ],
      [
        "With good judges, votes reach 0.25, directives at all words 0.25",
        "votes and directives together 0.25",
      ],
      [
        "A managed memory is right in 0.14, one that adds everything in 0.15",
        "what to keep is learned from the answers' pay alone",
      ],
    ]);
    // A line of 700 pixels holds some 75 letters of a title.
    for (const [title] of texts) assert.ok(title!.length <= 72, title);
  });

  it("tells apart arms that differ, arms that are alike, and halves that disagree", () => {
    const made = (success: (run: { system: string; arm: string; seed: number }) => number): EnumeratedRun[] =>
      enumeratedSettings.flatMap((setting) =>
        enumeratedSeeds.study.map((seed) => {
          const value = success({ ...setting, seed }) + 0.001 * (seed % 3);
          return { ...setting, seed, success: value, second: value } as EnumeratedRun;
        }),
      );
    const textOf = (runs: EnumeratedRun[], claim: string): string =>
      enumeratedClaims(runs).find((one) => one.claim.startsWith(claim))!.verdict.text;
    const alike = made(() => 0.5);
    assert.equal(textOf(alike, "Paid for what it leaves out"), "holds");
    assert.equal(textOf(alike, "An agent that adds"), "no effect that matters");
    assert.equal(textOf(alike, "It comes to the optimum"), "refuted");
    const helped = made(({ arm }) => (arm === "skill, prior 1/4" || arm === "votes" ? 0.9 : 0.5));
    assert.equal(textOf(helped, "An agent that adds"), "holds");
    assert.equal(textOf(helped, "Votes on each"), "holds");
    assert.equal(textOf(helped, "Votes and directives"), "refuted");
    const torn = made(({ arm, seed }) =>
      arm !== "skill, prior 1/4" ? 0.5 : seed < enumeratedSeeds.confirmFrom ? 0.9 : 0.1,
    );
    assert.equal(textOf(torn, "An agent that adds"), "not shown");
  });
});
