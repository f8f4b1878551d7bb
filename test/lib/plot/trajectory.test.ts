// Uses internals of turnwise/batch.
import assert from "node:assert/strict";
import {
  collect,
  createPolicy,
  createRng,
  drawTrajectory,
  importanceRatio,
  make,
  scriptedBatch,
  tf,
  type Batch,
} from "turnwise";
import { selectTrajectories } from "turnwise/internal/batch/select";
import { displaySymbol } from "turnwise/plot";

const lookUp = make("LookUp-v0");
const two = scriptedBatch(lookUp, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]); // prettier-ignore

const sampled = (id: string, groups: number, groupSize: number): Batch => {
  const env = make(id);
  return collect(env, createPolicy(env.spec), { groups, groupSize, rng: createRng(3) });
};

/** What hovering over the parts of a drawing tells, in their order. */
const tooltips = (svg: string): string[] =>
  [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, words]) => words!);
const texts = (svg: string): string[] =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, words]) => words!);
const heightOf = (svg: string): number => Number(/height="(\d+)"/.exec(svg)![1]);

describe("drawTrajectory()", () => {
  it("shows turns, what the world wrote with mask 0, the agent's words, rewards and the return", () => {
    const drawn = drawTrajectory(two, { trajectory: 1 });
    assert.equal(
      String(drawn),
      `Trajectory 2 of 2, return 1
    turn 1: (question: which of 0, 1, 2, 3 is the fact?) LOOKUP 0  reward 0
    turn 2: (result: the fact is 3) ANSWER 3  reward 1`,
    );
    const words = texts(drawn.svg);
    for (const word of [
      "turn 1",
      "turn 2",
      "LOOKUP",
      "reward",
      "return 1",
      "written by the world (mask 0)",
    ]) {
      assert.ok(words.includes(word), word);
    }
    const agent = tooltips(drawn.svg).filter((tip) => !tip.includes("mask 0") && !tip.startsWith("reward"));
    assert.deepEqual(agent, ["LOOKUP", "0", "ANSWER", "3"]);
  });

  it("colors tokens by a rule's advantages: blue above 0 and orange, dashed, below", () => {
    // RLOO: each return less that of the other: -0.33 - 1 = -1.33 and 1 + 0.33 = +1.33.
    const { svg } = drawTrajectory(two, { recipe: "rloo" });
    const credit = tooltips(svg).filter((tip) => tip.includes("advantage"));
    assert.deepEqual(credit, [
      "ANSWER: advantage −1.33",
      "0: advantage −1.33",
      ...["LOOKUP", "0", "ANSWER", "3"].map((word) => `${word}: advantage +1.33`),
    ]);
    const cells = [...svg.matchAll(/<title>[^<]*advantage[^<]*<\/title>(<rect[^>]*>)/g)].map(
      ([, cell]) => cell!,
    );
    assert.deepEqual(
      cells.map((cell) => [/fill="([^"]*)"/.exec(cell)![1], cell.includes("dasharray")]),
      [...Array<unknown>(2).fill(["#D55E00", true]), ...Array<unknown>(4).fill(["#4080E0", false])],
    );
  });

  it("colors the more strongly the larger an advantage is, and explains it by a scale of five", () => {
    // Of -1.33 to +1.33 the largest are .1 + .5 = .6 strong; half as large in the scale, .1 + .25 = .35; 0 is a pale gray.
    const { svg } = drawTrajectory(two, { recipe: "rloo" });
    const strengths = (pattern: RegExp): (string | undefined)[] =>
      [...svg.matchAll(pattern)].map(([cell]) => /fill-opacity="([^"]*)"/.exec(cell)?.[1]);
    assert.deepEqual(
      new Set(strengths(/(?<=<title>[^<]*advantage[^<]*<\/title>)<rect[^>]*>/g)),
      new Set(["0.6"]),
    );
    assert.deepEqual(
      strengths(/<rect[^>]*width="26(\.0)?" height="16(\.0)?"[^>]*>/g).filter((x) => x !== undefined),
      ["0.6", "0.35", "0.05", "0.35", "0.6"],
    );
  });

  it("leaves room for the clip's bounds, where no ratio reaches as far", () => {
    // |log .8| = .223 is farther than log 1.1 = .095: a bar of 1.1 is log 1.1 / (1.15 log 1.25) of half a strip of 64 - 8 pixels.
    const ratio = [1, 1, 1, 1, 1.1, 1, 1, 1];
    const { svg } = drawTrajectory(two, { trajectory: 1, ratio, clipLow: 0.2, clipHigh: 0.2 });
    const [first] = svg.matchAll(
      /<rect [^>]* height="([\d.]+)" rx="0" fill="currentColor" fill-opacity="0.45"/g,
    );
    assert.equal(Number(first![1]), Number(((28 * Math.log(1.1)) / (1.15 * Math.log(1.25))).toFixed(1)));
  });

  it("keeps the last 44 letters of what the world said, spaces counted, and marks what it leaves out", () => {
    const said = (observation: string): readonly string[] =>
      texts(drawTrajectory({ turns: [{ observation, tokens: ["x"] }] }).svg);
    // Four words of ten letters and three spaces are 43, so one letter more still fits and two do not.
    const words = ["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc", "dddddddddd"];
    const all = said(`${words.join(" ")}d`);
    assert.ok(all.includes("aaaaaaaaaa") && all.includes("ddddddddddd") && !all.includes("…"), all.join("|"));
    const less = said(`${words.join(" ")}dd`);
    assert.ok(
      less.includes("…") && !less.includes("aaaaaaaaaa") && less.includes("dddddddddddd"),
      less.join("|"),
    );
    const token = "x".repeat(60);
    assert.ok(said(`${token}7`).some((word) => word.startsWith("…") && word.endsWith("x7")));
    assert.deepEqual(said("\t ").slice(0, 3), said("").slice(0, 3), "blanks alone are nothing said");
  });

  describe("in a grid", () => {
    const grid = (...rows: (readonly string[])[]): readonly string[] =>
      texts(
        drawTrajectory(
          rows.map((heard) => ({
            turns: heard.map((observation, t) => ({
              observation,
              tokens: ["CALL"],
              reward: t === heard.length - 1 ? 7 : 0,
            })),
          })),
        ).svg,
      );

    it("shows the fact that the agent read, on a second line if need be", () => {
      const seen = grid(["question: which of 0, 1, 2, 3 is the fact?", "result: the fact is 1"], [""]);
      assert.ok(seen.includes("result:") && seen.includes("the fact is 1"), seen.join("|"));
      assert.ok(seen.includes("… of 0, 1, 2,") && seen.includes("3 is the fact?"), seen.join("|"));
    });

    it("keeps the last words when many turns leave little room", () => {
      const turns = Array.from({ length: 6 }, (_, t) => `the tool returned a value of ${t}`);
      const seen = grid(turns, turns);
      for (const t of turns.keys()) assert.ok(seen.includes(`of ${t}`), seen.join("|"));
    });

    it("ends a long word of the world with its last letters", () => {
      const seen = grid([`${"x".repeat(60)}123456789`], [""]);
      assert.ok(
        seen.some((word) => word.startsWith("…x") && [...word].length === 16),
        seen.join("|"),
      );
      assert.ok(
        seen.some((word) => word.endsWith("123456789") && [...word].length === 16),
        seen.join("|"),
      );
    });

    it("leaves out turns in the middle, never the one that pays", () => {
      const seen = grid(
        Array.from({ length: 30 }, (_, t) => `state ${t}`),
        ["state 0"],
        Array.from({ length: 12 }, (_, t) => `state ${t}`),
      );
      assert.ok(seen.includes("last turn"), seen.join("|"));
      // Every row shows its own last turn with its reward, and its return.
      assert.equal(seen.filter((word) => word === "7").length, 2 * 3, seen.join("|"));
      const kept = seen.filter((word) => /^turn \d+$/.test(word)).length;
      // 30 and 12 turns, of which the first few and the last are drawn.
      assert.ok(seen.includes(`+${30 - kept - 1} turns`) && seen.includes(`+${12 - kept - 1} turns`));
    });
  });

  it("draws a ratio as a bar whose length is its log, and the clip as dashes", () => {
    // Of all numbers 1.5 reaches farthest, so that the scale ends at 1.15 log 1.5 and a strip of 64 - 8 pixels is shared out.
    const ratio = [1, 1, 1, 1, 1.5, 1 / 1.5, 1, 1.1];
    const { svg } = drawTrajectory(two, { trajectory: 1, ratio, clipLow: 0.2, clipHigh: 0.2 });
    const bars = [...svg.matchAll(/<rect [^>]*y="([\d.]+)"[^>]* height="([\d.]+)" rx="0" fill="currentColor" fill-opacity="([\d.]+)"/g)]; // prettier-ignore
    const half = (64 - 8) / 2;
    const [up, down, none, little] = bars.map(([, y, length, opacity]) => [
      Number(y),
      Number(length),
      opacity,
    ]);
    assert.equal(up![1], Number((half / 1.15).toFixed(1)));
    assert.equal(down![1], up![1], "half as likely is as long as twice as likely");
    assert.equal(Number(up![0]) + Number(up![1]), down![0], "one ends where the other begins");
    assert.equal(none![1], 1, "a ratio of 1 is a line");
    assert.equal(little![1], Number(((half / 1.15) * (Math.log(1.1) / Math.log(1.5))).toFixed(1)));
    // Beyond 0.8 to 1.2 bars are dark. The last rectangle of this kind explains bars.
    assert.deepEqual(bars.map(([, , , opacity]) => opacity), ["0.95", "0.95", "0.45", "0.45", "0.45"]); // prettier-ignore
    assert.ok(texts(svg).some((words) => words.endsWith("dashes: clip at 0.8 and 1.2")));
    assert.match(
      String(drawTrajectory(two, { trajectory: 1, ratio, clipHigh: 0.2 })),
      /LOOKUP\[x1\.50!\] 0\[x0\.67\]/,
    );
  });

  it("takes one number for each trajectory, turn or token, from a list, a tensor or advantages()", () => {
    const byTrajectory = String(drawTrajectory(two, { advantage: [-1, 2] }));
    assert.match(byTrajectory, /ANSWER\[−1\] 0\[−1\]/);
    assert.match(byTrajectory, /LOOKUP\[\+2\] 0\[\+2\]/);
    const byTurn = String(drawTrajectory(two, { advantage: [0, 0, 0.25, -0.5] }));
    assert.match(byTurn, /LOOKUP\[\+0\.25\] 0\[\+0\.25\]/);
    assert.match(byTurn, /ANSWER\[−0\.5\] 3\[−0\.5\]/);
    const tensor = tf.tidy(() => {
      const of = (numbers: ArrayLike<number>): tf.Tensor3D =>
        tf.tensor3d(Array.from(numbers), [...two.shape]);
      const old = of(two.oldLogProb_ntl);
      const now = tf.add<tf.Tensor3D>(old, 0.5);
      const ratio = importanceRatio(now, old, of(two.mask_ntl), { level: "token", pooling: "product" });
      return String(drawTrajectory(two, { ratio }));
    });
    assert.match(tensor, /LOOKUP\[x1\.65\]/); // e^0.5 = 1.649
  });

  it("takes the clip's bounds from the recipe", () => {
    const ratio = two.mask_ntl.map(() => 1);
    const legend = (recipe: "grpo" | "dapo" | "rloo"): string =>
      texts(drawTrajectory(two, { recipe, ratio }).svg).find((words) => words.startsWith("bar:"))!;
    assert.match(legend("grpo"), /clip at 0\.8 and 1\.2$/);
    assert.match(legend("dapo"), /clip at 0\.8 and 1\.28$/);
    assert.match(legend("rloo"), /old policy$/);
  });

  it("draws at most eight rows and 600 pixels, and says how many are left out", () => {
    const batch = sampled("LookUp-v0", 2, 8);
    const ratio = Array.from(batch.mask_ntl, (_, i) => 1 + 0.4 * Math.sin(i));
    const drawn = drawTrajectory(batch, { recipe: "grpo", ratio });
    assert.ok(heightOf(drawn.svg) <= 600, `${heightOf(drawn.svg)} px`);
    assert.ok(texts(drawn.svg).includes("8 more"));
    assert.match(String(drawn), /^8 of 16 trajectories, one group: the same start\n[^]*\n {2}8 more$/);
    assert.match(
      String(drawTrajectory(batch, { trajectory: [0, 8] })),
      /^2 of 16 trajectories\n {2}1, [^]*\n {2}9, /,
    );
    for (const id of ["SubGoals-v0", "SearchQa-v0", "Sokoban-v0", "Codebreaker-v0", "ToolChain-v0"]) {
      const played = sampled(id, 1, 8);
      const numbers = { ratio: Array.from(played.mask_ntl, (_, i) => 1 + 0.4 * Math.sin(i)), advantage: Array.from({ length: 8 }, (_, n) => n - 3) }; // prettier-ignore
      for (const options of [{}, numbers]) {
        for (const trajectory of [undefined, 0]) {
          const all = trajectory === undefined ? options : { ...options, trajectory };
          const height = heightOf(drawTrajectory(played, all).svg);
          assert.ok(height <= 600, `${id}: ${height} px`);
        }
      }
    }
  });

  it("marks who took a turn, what a token decides, and where a subgoal begins", () => {
    const hand = sampled("HandOver-v0", 1, 4);
    const opener = Array.from(hand.turnCount_n).findIndex((turns) => turns > 1);
    assert.match(String(drawTrajectory(hand, { trajectory: opener })), /turn 1 scout: [^]*turn 2 opener: /);
    assert.ok(
      texts(drawTrajectory(hand).svg).includes("turn 1, scout"),
      "where all rows agree, the column is named",
    );
    const turnOf = (agent: string): { agent: string; tokens: string[] } => ({ agent, tokens: ["go"] });
    const mixed = texts(drawTrajectory([{ turns: [turnOf("ann")] }, { turns: [turnOf("bob")] }]).svg);
    assert.ok(mixed.includes("turn 1") && mixed.includes("ann:") && mixed.includes("bob:"), mixed.join("|"));
    const env = make("SubGoals-v0");
    const goals = scriptedBatch(env, [[["SWITCH", "LEFT", "STEP"], ["KEEP", "LEFT", "WORK"]]]); // prettier-ignore
    const drawn = drawTrajectory(goals);
    assert.match(String(drawn), /turn 1 new subgoal: [^]*turn 2: /);
    const tips = tooltips(drawn.svg);
    assert.ok(tips.includes("SWITCH: keeps or switches the subgoal"));
    assert.ok(tips.includes("LEFT: names the subgoal"));
    // The bar at the one turn that switches, and the one that explains it.
    assert.ok(texts(drawn.svg).includes("new subgoal"));
    assert.equal([...drawn.svg.matchAll(/stroke-width="5" stroke-opacity="0.8"/g)].length, 2);
    assert.ok(tips.includes("STEP"));
  });

  it("draws maps as maps", () => {
    const { svg } = drawTrajectory(sampled("Sokoban-v0", 1, 1));
    assert.ok(tooltips(svg).some((tip) => tip.startsWith("the map that the world showed")));
    assert.doesNotMatch(texts(svg).join(" "), /####/);
  });

  it("hatches tokens inside a turn that the policy did not sample, and leaves padding out", () => {
    const mask_ntl = two.mask_ntl.slice();
    mask_ntl[4] = 0; // "LOOKUP" of trajectory 1 becomes the world's; the second trajectory has 2 turns of 2 tokens
    mask_ntl[7] = 0; // behind the last sampled token stands padding
    const drawn = drawTrajectory({ ...two, mask_ntl }, { trajectory: 1, advantage: [1, 1] });
    assert.match(String(drawn), /\(LOOKUP\) 0\[\+1\]/);
    assert.match(String(drawn), /turn 2: \(result: the fact is 3\) ANSWER\[\+1\] {2}reward/);
  });

  it("knows the words of a batch after rows were chosen, and shows numbers where nobody tells them", () => {
    assert.match(String(drawTrajectory(selectTrajectories(two, [1]))), /LOOKUP 0/);
    const { script: _, ...mute } = two;
    assert.match(String(drawTrajectory(mute, { trajectory: 0 })), /#0 #2/);
    assert.match(
      String(drawTrajectory(mute, { trajectory: 0, vocabulary: lookUp.spec.vocabulary })),
      /ANSWER 0/,
    );
  });

  it("draws episodes of your own loop", () => {
    const episode = {
      turns: [
        {
          observation: "2 + 2 = ?",
          tokens: ["4", "!"],
          reward: 0.5,
          advantage: [1, -1],
          ratio: 2,
          agent: "ann",
        },
        { tokens: ["end"] },
      ],
    };
    assert.equal(
      String(drawTrajectory(episode)),
      `One trajectory, return 0.5
    turn 1 ann: (2 + 2 = ?) 4[+1 x2.00] ![−1 x2.00]  reward 0.5
    turn 2: end`,
    );
    const group = [
      { name: "ann", turns: [{ tokens: ["4"] }], reward: 1 },
      { turns: [{ tokens: ["5"] }], reward: 0 },
    ];
    assert.equal(
      String(drawTrajectory(group, { advantage: [0.5, -0.5] })),
      `2 trajectories
  ann, return 1
    turn 1: 4[+0.5]
  2, return 0
    turn 1: 5[−0.5]`,
    );
  });

  it("breaks a long turn into lines, counts the tokens and turns that it leaves out, and shows blanks", () => {
    const tokens = [..."a long turn of letters, one token for each of them"];
    const one = drawTrajectory({ turns: [{ tokens, reward: 1, advantage: 0.5 }] });
    const words = texts(one.svg);
    assert.ok(
      words.includes("turn 1, goes on") && words.includes(`+${tokens.length - 24}`) && words.includes("␣"),
      words.join("|"),
    );
    assert.equal(words.filter((word) => word === "reward").length, 1);
    const many = Array.from({ length: 12 }, () => ({ tokens, reward: 1 }));
    const { svg } = drawTrajectory({ turns: many });
    const left = Number(/… (\d+) turns more/.exec(svg)![1]);
    const begun = texts(svg).filter((word) => /^turn \d+$/.test(word)).length;
    const whole = texts(svg).filter((word) => word === "reward").length;
    assert.equal(left, 12 - whole, "a turn whose end is missing counts as left out");
    assert.ok(begun - whole <= 1 && heightOf(svg) <= 600);
  });

  it("suits light and dark pages: ink is that of the text around it, and no id can clash", () => {
    const bundle = drawTrajectory(two, { recipe: "grpo" })[displaySymbol]();
    const html = String(bundle["text/html"]);
    assert.match(html, /^<figure style="margin:0"><svg [^>]*role="img" aria-label="2 trajectories[^"]*"[^>]*fill="currentColor"/); // prettier-ignore
    assert.doesNotMatch(html, / id=|url\(|<style|#fff|white|black/);
    assert.match(
      String(bundle["image/svg+xml"]),
      /^<svg [^>]*><style>svg\{color:#1a1a1a\}@media\(prefers-color-scheme:dark\)/,
    );
    assert.equal(bundle["text/plain"], String(drawTrajectory(two, { recipe: "grpo" })));
  });

  it("escapes what the world and the agent wrote", () => {
    const { svg } = drawTrajectory({ turns: [{ observation: "<b>&", tokens: ['"<i>'] }] });
    assert.doesNotMatch(svg, /<b>|<i>/);
    assert.match(svg, /&#60;b&#62;&#38;/);
  });

  it("refuses what it cannot draw, and says what to give", () => {
    const batch = two;
    const refusals: readonly [() => unknown, string, string][] = [
      [() => drawTrajectory(batch, { trajectory: 2 }), "RangeError", "Cannot draw a trajectory: trajectory must be from 0 to 1, got 2."],
      [() => drawTrajectory(batch, { trajectory: [] }), "RangeError", "Cannot draw a trajectory: there must be at least one, got none."],
      [() => drawTrajectory(batch, { advantage: [1, 2, 3] }), "TypeError", "Cannot draw a trajectory: advantage must have one number for each trajectory, turn or token, 2, 4 or 8, got 3."],
      [() => drawTrajectory(batch, { advantage: [1, NaN] }), "RangeError", "Cannot draw a trajectory: advantage must be finite, but entry 1 is NaN."],
      [() => drawTrajectory(batch, { ratio: [1, 0] }), "RangeError", "Cannot draw a trajectory: ratio must be finite and above 0, but entry 1 is 0."],
      [() => drawTrajectory(batch, { ratio: 3 as never }), "TypeError", "Cannot draw a trajectory: ratio must be numbers in a list or a tensor, got 3."],
      [() => drawTrajectory(batch, { clipHigh: -0.2 }), "RangeError", "Cannot draw a trajectory: clipHigh must be above 0, got -0.2."],
      [() => drawTrajectory(batch, { advantages: [1, 2] } as never), "RangeError", `Cannot draw a trajectory: unknown option "advantages".\nDid you mean "advantage"?`],
      [() => drawTrajectory(batch, { recipe: "ppo" }), "TypeError", "Cannot draw a trajectory by recipe ppo: its advantages must come from a critic. Compute them with advantages(batch, recipe, values), and give them as advantage."],
      [() => drawTrajectory({ turns: [{ tokens: ["a"] }] }, { recipe: "grpo" }), "TypeError", "Cannot draw a trajectory by a recipe: it must be a batch, such as collect gives. Give episodes their advantage instead."],
      [() => drawTrajectory([]), "TypeError", "Cannot draw a trajectory: it must be a batch, such as collect gives, or episodes { turns: [{ tokens: [...] }] }, got an empty list."],
      [() => drawTrajectory([{ update: 1, metrics: {} }] as never), "TypeError", "Cannot draw a trajectory: it must be a batch, such as collect gives, or episodes { turns: [{ tokens: [...] }] }, got a list whose first entry is a record of train, which keeps metrics alone: collect(env, policy, ...) gives trajectories."],
      [() => drawTrajectory(Promise.resolve(batch) as never), "TypeError", "Cannot draw a trajectory: it must be a batch, such as collect gives, or episodes { turns: [{ tokens: [...] }] }, got a promise (did you forget await?)."],
    ]; // prettier-ignore
    for (const [draw, name, message] of refusals) assert.throws(draw, { name, message });
  });
});
