import assert from "node:assert/strict";
import { autodiffPolicy, custom, recipe, recipeNames, reportCard } from "turnwise";
import { renderSvg, vegaLiteMime } from "turnwise/plot";
import { figureNames } from "turnwise/internal/card/tally";
import { recovery } from "turnwise/internal/card/worlds";
import type { ReportCard } from "turnwise/internal/card/card";

describe("a card of every recipe", function () {
  this.timeout(120_000);
  let card: ReportCard;
  before(async () => {
    card = await reportCard(recipeNames, {
      worlds: ["recovery", "stopOrGo"],
      groupSizes: [2],
      staleness: [0, 4],
      mismatch: [0],
    });
  });

  it("is JSON, with a unit for each figure and null for what is infinite", () => {
    const json = JSON.parse(JSON.stringify(card)) as ReturnType<ReportCard["toJSON"]>;
    assert.deepEqual(Object.keys(json.units), [...figureNames]);
    assert.equal(json.records.length, 4 * recipeNames.length);
    assert.equal(json.complete, true);
    // After four steps GRPO's clip holds the good tokens back, so that its update points backwards.
    const back = json.records.find(
      (r) => r["row"] === "grpo" && r["staleness"] === 4 && r["world"] === "recovery",
    )!;
    assert.ok((back["scale"] as { value: number }).value < 0);
    assert.deepEqual(back["bias"], { value: null, error: null });
  });

  it("is drawn with a row for each rule and a panel for what varies", async () => {
    const svg = await renderSvg(card.chart().toSpec());
    for (const name of recipeNames) assert.ok(svg.includes(`>${name}</text>`), name);
    assert.ok(svg.includes(">steps since rollout</text>"));
    assert.ok(!svg.includes(">group size</text>"), "one group size is no axis");
    assert.throws(() => card.chart({ world: "tiger" }), {
      name: "RangeError",
      message: /it must hold records of world "tiger", but its worlds are recovery, stopOrGo\.$/,
    });
  });

  it("shows its picture in a notebook and its table as text", () => {
    const bundle = card[Symbol.for("Jupyter.display") as never] as
      (() => Record<string, unknown>) | undefined;
    const shown = bundle!.call(card);
    assert.ok(vegaLiteMime in shown);
    const lines = String(shown["text/plain"]).split("\n");
    assert.equal(lines.length, 2 + 2 * recipeNames.length);
    assert.match(
      lines[0]!,
      /^Batches of one group of 2, 0 steps since the rollout, log-prob mismatch 0 nats$/,
    );
    assert.match(
      lines.find((line) => line.startsWith("rloo"))!,
      /^rloo +recovery, 2 turns +0\.000 +1\.000/,
    );
  });

  it("finds only what a figure's definition allows", () => {
    for (const record of card.records) {
      const where = `${record.row} on ${record.world}`;
      for (const name of ["wrongSign", "wrongSignBatch", "silent", "falls", "ownFalls"] as const) {
        assert.ok(record[name].value > -1e-12 && record[name].value < 1 + 1e-12, `${where}: ${name}`);
      }
      // No step of this length rises further than a hair above the exact gradient's, whose direction is the steepest.
      assert.ok(record.gain.value < 1.15, `${where}: gain ${record.gain.value}`);
      assert.ok(record.variance.value >= 0, where);
    }
  });
});

describe("the card of a row with a custom function", () => {
  it("is that of the recipe which the function repeats", async () => {
    const own = recipe("rloo", {
      advantage: custom("all but me", ({ return_n }) => {
        // One group: the sum of all less its own, over the others' number.
        const sum = return_n.reduce((a, b) => a + b, 0);
        return return_n.map((R) => R - (sum - R) / (return_n.length - 1));
      }),
    });
    const { records } = await reportCard({ own, rloo: "rloo" }, { worlds: ["recovery"], staleness: [0, 2] });
    for (let i = 0; i < records.length; i += 2) {
      const [mine, theirs] = [records[i]!, records[i + 1]!];
      assert.deepEqual([mine.row, theirs.row], ["own", "rloo"]);
      for (const name of ["scale", "bias", "variance", "cosine", "gain", "falls"] as const) {
        assert.ok(Math.abs(mine[name].value - theirs[name].value) < 1e-7, name);
      }
    }
  });
});

describe("the card of a custom loss", function () {
  this.timeout(60_000);

  it("is that of the recipe which the loss writes out", async () => {
    const own = recipe("grpo", {
      loss: custom("grpo as written", (tf, x) => {
        const ratio = tf.exp(tf.sub(x.logProb_ntl, x.oldLogProb_ntl));
        const clipped = tf.clipByValue(ratio, 0.8, 1.2);
        const kept = tf.minimum(tf.mul(ratio, x.advantage_ntl), tf.mul(clipped, x.advantage_ntl));
        return tf.neg(x.sequenceMean(kept));
      }),
    });
    const { records } = await reportCard(
      { own, grpo: "grpo" },
      { worlds: ["recovery"], groupSizes: [3], staleness: [0, 2], mismatch: [0] },
    );
    for (let i = 0; i < records.length; i += 2) {
      for (const name of ["scale", "variance", "cosine", "gain", "falls", "ownChange"] as const) {
        const [mine, theirs] = [records[i]![name].value, records[i + 1]![name].value];
        assert.ok(Math.abs(mine - theirs) < 1e-6, `${name}: ${mine} and ${theirs}`);
      }
    }
  });
});

describe("the card of a custom policy", () => {
  it("finds RLOO unbiased for its parameters, too", async () => {
    const policy = autodiffPolicy({
      parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary] }),
      logits: (tf, { W }, x) => tf.matMul(x.features, W),
    });
    const point = { groupSizes: [3], staleness: [1], mismatch: [0] };
    const { records } = await reportCard(["rloo", "grpo"], {
      ...point,
      worlds: [{ env: recovery(), policy }],
    });
    const [rloo] = records;
    assert.equal(rloo!.method, "enumerated");
    assert.ok(rloo!.gain.value > 0.5 && rloo!.expectedCosine.value > 0.9, JSON.stringify(rloo));
    const fresh = await reportCard("rloo", {
      ...point,
      staleness: [0],
      worlds: [{ env: recovery(), policy }],
    });
    assert.ok(Math.abs(fresh.records[0]!.scale.value - 1) < 1e-6);
    assert.ok(fresh.records[0]!.bias.value < 1e-6);
  });
});
