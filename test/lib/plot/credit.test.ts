import assert from "node:assert/strict";
import { advantages, calculatorTasks, make, recipe, scriptedBatch } from "turnwise";
import { creditTranscript, ratioHistogram, renderSvg, turnAdvantageMap } from "turnwise/plot";

const display = Symbol.for("Jupyter.display");
const shown = (x: object): Record<string, string> =>
  (x as Record<symbol, () => Record<string, string>>)[display]!();

/** 3^17 mod 41, four ways: call and answer, call and mistype the answer, think (it goes wrong), guess. */
const env = make("Calculator-v0", { syntax: "digits", tasks: calculatorTasks(3, 8).slice(0, 1) });
const words = (text: string): string[] => text.split(" ");
const call = words("CALL 3 ^ 1 7 mod 4 1 END");
const scripts = [
  [call, words("ANSWER 3 END")],
  [call, words("ANSWER 3 3 END")],
  [words("THINK 3 ^ 1 7 mod 4 1 END"), words("ANSWER 4 0 END")],
  [words("ANSWER 7 END")],
];
const batch = scriptedBatch(env, scripts);
const vocabulary = env.spec.vocabulary;
const of = (row: ReturnType<typeof recipe>): Float64Array => advantages(batch, row).advantage_ntl;
const perTurn = recipe("drGrpo", { advantage: { kind: "perTurn", credit: "rewardToGo" } });
const credit = { drGrpo: of(recipe("drGrpo")), "per turn": of(perTurn) };

describe("scriptedBatch", () => {
  it("plays the words that it is given and asks the environment for the rest", () => {
    assert.equal(batch.observation_nt[0]![0], "question: 3 ^ 17 mod 41 = ?");
    assert.equal(batch.observation_nt[0]![1], "result: 3");
    assert.deepEqual([...batch.turnCount_n], [2, 2, 2, 1]);
    // Right; wrong; wrong, with a fee for each of five steps of thinking at .02; wrong.
    assert.deepEqual(
      [...batch.return_n].map((x) => Number(x.toFixed(6))),
      [1, 0, -0.1, 0],
    );
    assert.deepEqual(batch.truncated, [false, false, false, false]);
    assert.equal(batch.oldLogProb_ntl[0], -Math.log(vocabulary.length));
    assert.equal(
      batch.mask_ntl.reduce((a, b) => a + b),
      9 + 3 + 9 + 4 + 9 + 4 + 3,
    );
  });

  it("refuses unknown words and turns behind the end", () => {
    assert.throws(() => scriptedBatch(env, [[["SOLVE"]]]), {
      name: "RangeError",
      message: 'Cannot play a script: each word must be in the vocabulary, got "SOLVE".',
    });
    assert.throws(() => scriptedBatch(env, [[words("ANSWER 3 END"), words("ANSWER 3 END")]]), {
      message:
        "Cannot play a script: its turns must fit into the episode, but trajectory 0 ended after turn 1.",
    });
  });
});

describe("creditTranscript", () => {
  it("shades a token by its share of the rule's largest advantage, and one of 0 not at all", () => {
    // drGrpo: returns 1, 0, -.1, 0 less their mean .225 are .775, the largest of the four trajectories.
    const shadesOf = (advantage: Float64Array): Set<string> => {
      const html = shown(creditTranscript(batch, { rule: advantage }, { vocabulary }))["text/html"]!;
      return new Set([...html.matchAll(/background:(rgba[^;"]*|transparent)/g)].map(([, shade]) => shade!));
    };
    // All tokens of a trajectory have one advantage: .08 + .32 x 1.
    assert.deepEqual(shadesOf(credit.drGrpo), new Set(["rgba(0,114,178,0.40)"]));
    assert.deepEqual(shadesOf(new Float64Array(credit.drGrpo.length)), new Set(["transparent"]));
  });

  it("knows the words of a batch that tells them", () => {
    const told = shown(creditTranscript(batch, credit))["text/plain"];
    assert.equal(told, shown(creditTranscript(batch, credit, { vocabulary }))["text/plain"]);
  });

  it("writes every token of the agent with its advantage under each rule, by hand for 3^17 mod 41", () => {
    const text = shown(creditTranscript(batch, credit, { vocabulary }))["text/plain"]!;
    // drGrpo: 1 - (1 + 0 - .1 + 0) / 4 = .775 for every token. Rewards to go
    // from turn 2, after the fee of thinking: 1, 0, 0 with mean 1/3, so 2/3.
    assert.equal(
      text.replace(/^(drGrpo:\n)[^]*?(per turn:\n)/, "$1$2"),
      [
        "drGrpo:",
        "per turn:",
        "  environment: question: 3 ^ 17 mod 41 = ?",
        `  agent: ${call.map((word) => `${word}[+0.78]`).join(" ")}`,
        "  environment: result: 3",
        "  agent: ANSWER[+0.67] 3[+0.67] END[+0.67]",
      ].join("\n"),
    );
  });

  it("tells signs apart by line and number, not by color alone, and leaves the page's colors", () => {
    const html = shown(creditTranscript(batch, credit, { vocabulary, trajectory: 2 }))["text/html"]!;
    assert.match(
      html,
      /border-bottom:3px dotted rgb\(213,94,0\).*<code[^>]*>THINK<\/code><sub>−0\.33<\/sub>/,
    );
    assert.doesNotMatch(html, /[^-]color:/);
    const right = shown(creditTranscript(batch, credit, { vocabulary }))["text/html"]!;
    assert.match(right, /3px solid rgb\(0,114,178\)/);
  });

  it("shows no credit for what the environment wrote, and escapes every text", () => {
    const odd = { ...batch, observation_nt: batch.observation_nt.map((turns) => turns.map(() => "<i>&")) };
    const html = shown(creditTranscript(odd, { "<rule>": credit.drGrpo }, { vocabulary, title: "<title>" }))[
      "text/html"
    ]!;
    assert.doesNotMatch(html, /<i>|<rule>|<title>/);
    assert.match(html, /<em>&#60;i&#62;&#38;<\/em>/);
    assert.equal(html.match(/<sub>/g)!.length, 9 + 3);
  });

  it("refuses another shape, no rule and a trajectory that is not there", () => {
    assert.throws(() => creditTranscript(batch, { grpo: [1] }, { vocabulary }), {
      name: "TypeError",
      message: "Cannot show credit: grpo must have shape [4, 3, 9], got 1.",
    });
    assert.throws(() => creditTranscript(batch, {}, { vocabulary }), {
      message: "Cannot show credit: there must be a rule.",
    });
    assert.throws(() => creditTranscript(batch, credit, { vocabulary, trajectory: 4 }), {
      message: "Cannot show credit: trajectory must be from 0 to 3, got 4.",
    });
  });

  it("has a heat map of turns, with the mean over the turn's tokens", () => {
    const { description } = turnAdvantageMap(batch, credit).spec;
    assert.match(description, /drGrpo, turn 1: \+0\.775; drGrpo, turn 2: \+0\.775/);
    assert.match(description, /per turn, turn 1: \+0\.775; per turn, turn 2: \+0\.667/);
  });
});

describe("ratioHistogram", () => {
  const ratios = [0.5, 0.9, 1, 1.1, 1.5, NaN, 4];
  const mask = [1, 1, 1, 1, 1, 0, 1];
  const bars = (spec: object): { below: number; count: number; place: string }[] =>
    (spec as { layer: { data: { values: never[] } }[] }).layer[0]!.data.values;

  it("counts every active ratio once, and those beyond the clip apart", () => {
    const { spec } = ratioHistogram(ratios, mask, { clipLow: 0.2, clipHigh: 0.2 });
    const counted = (place: string): number =>
      bars(spec)
        .filter((bar) => bar.place === place)
        .reduce((sum, { below, count }) => sum + count - below, 0);
    assert.equal(counted("inside"), 3);
    assert.equal(counted("beyond the clip"), 3);
    assert.match(spec.description, /from 0\.500 to 4\.000; 50\.0 % of 6 tokens beyond the clip/);
  });

  it("draws ratios that are all 1, and draws without a clip", async () => {
    const { spec } = ratioHistogram([1, 1, 1], [1, 1, 1]);
    assert.equal(bars(spec).length, 1);
    assert.match(await renderSvg(spec), /ratio of new to old probability/);
  });

  it("refuses what cannot be drawn", () => {
    assert.throws(() => ratioHistogram([1], [1, 1]), {
      name: "TypeError",
      message: "Cannot draw ratios: there must be one mask for each, got 1 ratios and 2 masks.",
    });
    assert.throws(() => ratioHistogram([1], [0]), {
      message: "Cannot draw ratios: one must be active.",
    });
    assert.throws(() => ratioHistogram([0], [1]), {
      message: "Cannot draw ratios: each must be finite and above 0, got 0.",
    });
  });
});
