import assert from "node:assert/strict";
import type { Chart } from "turnwise/plot";
import { languageModelClaims } from "turnwise-course/internal/10-language-model/lesson";
import {
  languageRunsToCsv,
  type StoredLanguageRun,
} from "turnwise-course/internal/shared/languageRuns/stored";
import {
  drawBits,
  drawFirstFall,
  drawHints,
  drawTwoTools,
  drawWhoFindsTheTool,
  drawWhoKnows,
  storedLanguageRuns,
} from "turnwise-course/language-model";

const names = ["std cliff", "entropy cliff", "unearned silence", "success itself"];
const levels = (level: number): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(names.map((name) => [name, new Array<number>(60).fill(level)]));

function run(cells: Partial<StoredLanguageRun>): StoredLanguageRun {
  return {
    ...{ world: "calculator", skill: 0.3, rule: "grpo", reuse: false, bits: 0, seed: 0, updates: 300 },
    ...{ wellFormed: 0.99, start: 0.25, final: 0.95, best: 0.96, entropy: [0.4, 0.02], tokens: [8, 10.5] },
    ...{ rose: true, fall: null, onset: null, levels: levels(0) },
    ...cells,
  };
}

/** Ten runs of a cell whose ends differ a little. */
const ten = (cells: Partial<StoredLanguageRun>): StoredLanguageRun[] =>
  Array.from({ length: 10 }, (_, seed) =>
    run({ seed, ...cells, final: (cells.final ?? 0.95) + seed / 1000 }),
  );

const both = (cells: Partial<StoredLanguageRun>): StoredLanguageRun[] =>
  (["grpo", "seeUpo"] as const).flatMap((rule) => ten({ ...cells, rule }));

/** Forty runs under heavy reuse, half of which fall; before it, silence knows it and success does not. */
const reused = Array.from({ length: 40 }, (_, seed) =>
  seed % 2 === 0
    ? run({
        seed,
        reuse: true,
        fall: 70,
        onset: 61,
        levels: { ...levels(0), "unearned silence": levels(3)["std cliff"]! },
      })
    : run({
        seed,
        reuse: true,
        updates: 400,
        levels: Object.fromEntries(names.map((name) => [name, new Array<number>(400).fill(0)])),
      }),
);

const all = (found: number): StoredLanguageRun[] => [
  ...both({ skill: 0, final: found }),
  ...both({ skill: 0.2 }),
  ...both({}),
  ...both({ world: "searchQa", skill: 0, final: 0.25 }),
  ...both({ world: "searchQa", skill: 0.5, final: 0.3 }),
  ...both({ world: "searchQa", skill: 0.8 }),
  ...[8, 4, 3, 2].flatMap((bits) => ten({ bits, final: bits > 3 ? 0.95 : 0.3 })),
  ...reused,
];

describe("the claims about language models", () => {
  const texts = (runs: readonly StoredLanguageRun[]): string[] =>
    languageModelClaims(runs).map(({ verdict }) => verdict.text);

  it("are decided by the runs: what holds, where it holds, and what is refuted", () => {
    assert.deepEqual(texts(all(0.3)), [
      "holds if skill = calculator .3 or search .8 of {calculator .3, search .5, search .8}",
      "refuted",
      "holds if bits = 3 or 2 of {8, 4, 3, 2}",
      "holds if steps = 24 of {2, 24}",
      "holds if alarm = unearned silence of {unearned silence, std cliff, entropy cliff}",
    ]);
  });

  it("would say that reward finds the unshown use if it did", () => {
    assert.equal(texts(all(0.9))[1], "holds");
  });

  it("say nothing of alarms where no run falls", () => {
    assert.equal(languageModelClaims(all(0.3).filter(({ fall }) => fall === null)).length, 4);
  });

  it("refuse a verdict on four seeds", () => {
    assert.equal(texts(all(0.3).filter(({ seed }) => seed < 4))[0], "too few seeds");
  });
});

describe("stored language models", () => {
  it("are the same after they were written and read", () => {
    const runs = all(0.3);
    assert.deepEqual(storedLanguageRuns(languageRunsToCsv(runs)), runs);
  });
});

/** What screen readers say of a chart. */
const told = ({ spec }: Chart): string => String(spec["description"]);

describe("the drawings of language models", () => {
  it("say what they show: skills, tools, bits, alarms, and who has found the tool", () => {
    const runs = all(0.3);
    assert.match(told(drawHints(runs)), /skill 0: 0\.30.*skill 0\.2: 0\.95.*skill 0\.3: 0\.95/s);
    assert.match(
      told(drawTwoTools(runs)),
      /calculator, skill 0\.2, GRPO.*search, skill 0\.5, SeeUPO: 0\.30/s,
    );
    assert.match(told(drawBits(runs)), /no rounding: 0\.95.*bfloat16: 0\.95.*E5M2: 0\.30/s);
    assert.match(told(drawWhoKnows(runs)), /success itself: 0\.500.*unearned silence: 1\.000/s);
    assert.match(String(drawWhoFindsTheTool(runs)), /GRPO, skill 0: 0 of 10\n.*GRPO, skill 0\.3: 10 of 10/s);
  });

  it("refuse alarms where nobody fell, and a fall that never was", async () => {
    const survivors = all(0.3).filter(({ fall }) => fall === null);
    assert.throws(() => drawWhoKnows(survivors), {
      message: "Cannot draw alarms: some runs must fall and some must not.",
    });
    await assert.rejects(drawFirstFall(survivors), {
      message: "Cannot train the first fall again: a stored run must have fallen.",
    });
  });
});
