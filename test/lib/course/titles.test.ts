import assert from "node:assert/strict";
import { measured, storedTable } from "turnwise-course";
import { drawMask, drawTeam } from "turnwise-course/agentic-pomdp";
import { drawDistance, drawGoodhart } from "turnwise-course/reward-signal";
import { drawPromise, drawThinking } from "turnwise-course/search-and-world-models";
import { drawJudges, drawReading } from "turnwise-course/step-credit";

/** A chart's title, and the text under it. */
const titleOf = ({ spec }: { readonly spec: unknown }): string =>
  (spec as { readonly title: { readonly text: string } }).title.text;

const rows = (name: string, ...fits: readonly [column: string, value: string | number][]) =>
  storedTable(measured(name)).filter((row) => fits.every(([column, value]) => row[column] === value));

const mean = (own: readonly Readonly<Record<string, unknown>>[], column: string): string =>
  (own.reduce((sum, row) => sum + Number(row[column]), 0) / own.length).toFixed(2);

describe("the titles of the lessons' charts", () => {
  it("state the means of the stored rows, at whatever number a reader puts into the cell", () => {
    for (const tries of [8, 3]) {
      const arm = (name: string) =>
        rows("hand-over", ["world", `hand over, ${tries} tries`], ["learningRate", 0.1], ["arm", name]);
      const [each, one] = ["a baseline for each agent", "one baseline over trajectories"].map((name) =>
        mean(arm(name), "final"),
      );
      assert.equal(
        titleOf(drawTeam(storedTable(measured("hand-over")), { tries })),
        `With large steps: ${each!} with a baseline each, ${one!} with one for all`,
      );
    }
    for (const weight of [0.1, 1]) {
      const end = (arm: string) => mean(rows("goodhart", ["arm", arm], ["update", 400]), "score");
      const short = String(weight).replace("0.", ".");
      assert.equal(
        titleOf(drawDistance(storedTable(measured("goodhart")), { weight })),
        `True score at the end: ${end(`proxy, exact KL ${short}`)} with KL, ${end("proxy")} without, ${end("outcome")} by the outcome`,
      );
    }
    const judged = titleOf(
      drawJudges(storedTable(measured("step-judges")), storedTable(measured("step-outcome")), {
        arm: "votes",
        world: "LookUp-v0",
      }),
    );
    const votes = (judge: string) =>
      mean(rows("step-judges", ["arm", "votes"], ["world", "LookUp-v0"], ["judge", judge]), "score");
    assert.match(judged, new RegExp(`^With a judge that distrusts answers ${votes("distrusts answers")}, `));
  });

  it("refuse a weight of the penalty that was not measured", () => {
    assert.throws(() => drawDistance(storedTable(measured("goodhart")), { weight: 0.5 }), {
      name: "RangeError",
      message: "Cannot draw the distance: weight must be one of 0.1 and 1, got 0.5.",
    });
  });

  it("turn with the data: another score is another title", () => {
    const goodhart = storedTable(measured("goodhart"));
    const raised = goodhart.map((row) => ({ ...row, score: 1 }));
    assert.match(titleOf(drawGoodhart(goodhart)), /the true score from 0\.60 to 0\.67 to 0\.51$/);
    assert.match(titleOf(drawGoodhart(raised)), /the true score from 1\.00 to 1\.00$/);
    const simulators = storedTable(measured("simulators"));
    const honest = simulators.map((row) => ({ ...row, score: row["promised"]! }));
    const at = { world: "HandOver", error: "reward, fixed" } as const;
    assert.equal(titleOf(drawPromise(simulators, at)), "The simulator promises 0.99, the world pays 0.09");
    assert.equal(titleOf(drawPromise(honest, at)), "The simulator promises 0.99, the world pays 0.99");
    const thinking = storedTable(measured("thinking"));
    const lost = thinking.map((row) => (row["thinker"] === "tree search" ? { ...row, score: 2 } : row));
    assert.equal(titleOf(drawThinking(thinking)), "At 1000 steps a task, thinking leads in none of 4 worlds");
    assert.equal(titleOf(drawThinking(lost)), "At 1000 steps a task, thinking leads in 4 of 4 worlds");
    const retrieved = storedTable(measured("retrieved"));
    const never = retrieved.map((row) =>
      row["retrieved"] === "trained"
        ? { ...row, curve: String(row["curve"]).replace(/[\d.]+/g, "0.1") }
        : row,
    );
    assert.match(titleOf(drawMask(retrieved)), /30 updates with the mask, 40 updates without it$/);
    assert.match(titleOf(drawMask(never)), /30 updates with the mask, never without it$/);
    assert.match(titleOf(drawReading(storedTable(measured("step-reading")))), /information gain 0\.62$/);
  });
});
