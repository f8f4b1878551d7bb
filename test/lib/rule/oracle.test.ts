// Uses internals of turnwise/batch.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import {
  type Batch,
  advantages,
  recipe,
  recipeNames,
  surrogateGradient,
  type RecipeName,
  type RecipeOverrides,
} from "turnwise";
import { selectTrajectories } from "turnwise/internal/batch/select";
import {
  carryAfterTurn,
  clippingTriggeredScale,
  filterGroups,
  recipeNeeds,
  renewedAdvantage,
  trainedTokens,
  type Carry,
} from "turnwise/internal/rule/index";
import { corrected } from "turnwise/internal/rule/correction/corrected";
import { gateOf } from "turnwise/internal/rule/gate/index";
import { flat, storedBatch, type Cells } from "../../support/storedBatch.js";
import { assertClose } from "./support";

interface Fixture {
  readonly shape: [number, number, number];
  readonly data: {
    readonly apart: Cells;
    readonly steep: number[];
    readonly turnCount: number[];
    readonly group: string[];
    readonly mask: Cells;
    readonly logProb: Cells;
    readonly oldFar: Cells;
    readonly oldNear: Cells;
    readonly ref: Cells;
    readonly after: Cells;
    readonly entropy: Cells;
    readonly reward: number[][];
    readonly squares: Cells;
    readonly value: number[][];
    readonly valueToken: Cells;
    readonly valueHigh: number[][];
    readonly valueTerm: number[][];
    readonly observation: string[][];
    readonly agent: string[][];
    readonly tree: number[];
    readonly switch: number[][];
    readonly role: Cells;
    readonly step: number[][];
    readonly demonstration: number[];
  };
  readonly cases: {
    readonly recipe: RecipeName;
    readonly overrides: RecipeOverrides;
    readonly old: "oldFar" | "oldNear";
    readonly rows: number[];
    readonly loss: number;
    readonly advantage: number[];
    readonly gradient: number[];
    readonly clipBias?: number[];
    readonly scaledGradient?: number[];
  }[];
  readonly sequential: {
    readonly recipe: RecipeName;
    readonly old: "oldFar" | "oldNear";
    readonly advantage: number[];
    readonly steps: {
      readonly turn: number;
      readonly loss: number;
      readonly gradient: number[];
      readonly carry: number[];
    }[];
  }[];
}

const folder = path.join(__dirname, "../../../../test/oracle");
const fixture = JSON.parse(readFileSync(path.join(folder, "fixture.json"), "utf8")) as Fixture;
const { data, shape } = fixture;
const [, T, L] = shape;
const width = T * L;

const whole = storedBatch(shape, data, data.oldFar);

/** Rows of a full-size array. */
function pick(values: ArrayLike<number>, rows: readonly number[], size: number): number[] {
  return rows.flatMap((n) => Array.from({ length: size }, (_, k) => values[n * size + k]!));
}

function setting(old: "oldFar" | "oldNear", rows: readonly number[]) {
  const of = (cells: Cells): number[] => pick(flat(cells), rows, width);
  const apart = of(data.apart);
  const perTurn = (cells: number[][]): number[] => pick(flat(cells), rows, T);
  const batch: Batch = {
    ...selectTrajectories(whole, rows),
    oldLogProb_ntl: Float64Array.from(of(data[old])),
    rolloutLogProb_ntl: Float64Array.from(of(data[old]), (x, i) => x + apart[i]!),
  };
  return {
    batch,
    values: {
      value_nt: perTurn(data.value),
      value_ntl: of(data.valueToken),
      valueHigh_nt: perTurn(data.valueHigh),
      valueTerm_nt: perTurn(data.valueTerm),
    },
    // A vocabulary of one "token" whose squared probability is the sum of the squares.
    facts: {
      oldLogProb_ntlv: of(data.squares).map((x) => Math.log(x) / 2),
      gradientSquare_n: pick(data.steep, rows, 1),
    },
    input: {
      shape: batch.shape,
      mask_ntl: batch.mask_ntl,
      logProb_ntl: of(data.logProb),
      oldLogProb_ntl: of(data[old]),
      refLogProb_ntl: of(data.ref),
      entropy_ntl: of(data.entropy),
      trajectoryId: batch.trajectoryId,
      demonstration_n: batch.demonstration_n!,
    },
  };
}

describe("every recipe against automatic differentiation of the papers' formulas", () => {
  it("covers the whole table", () => {
    const seen = new Set([...fixture.cases, ...fixture.sequential].map((one) => one.recipe));
    assert.deepEqual(
      [...recipeNames].filter((name) => !seen.has(name)),
      [],
    );
  });

  it("meets the bounds of every gate that has some, so that the golden can tell a clip from none", () => {
    const met = new Set<string>();
    const bounded = new Set<string>();
    for (const expected of fixture.cases) {
      const row = recipe(expected.recipe, expected.overrides);
      const { range, ownBounds } = gateOf(row.gate);
      if (range(row.gate) === null && !ownBounds) continue;
      bounded.add(row.gate.kind);
      const { batch, values, input, facts } = setting(expected.old, expected.rows);
      const value = recipeNeeds(row).value ? values : undefined;
      const { metrics: _means, ...credit } = advantages(batch, row, value, input.refLogProb_ntl, facts);
      const { metrics } = surrogateGradient(
        { ...input, mask_ntl: trainedTokens(batch, row), ...credit },
        row,
      );
      const clipped = (["Low", "High", "Dual"] as const).map(
        (side) => metrics[`policy/clipFrac${side}`] ?? 0,
      );
      if (clipped.some((fraction) => fraction > 0)) met.add(row.gate.kind);
    }
    assert.ok(bounded.size >= 2);
    assert.deepEqual(
      [...bounded].filter((kind) => !met.has(kind)),
      [],
    );
  });

  for (const expected of fixture.cases) {
    const changed =
      Object.keys(expected.overrides).length > 0 ? ` with ${JSON.stringify(expected.overrides)}` : "";
    it(`${expected.recipe}${changed}, ${expected.old === "oldFar" ? "far from" : "near"} the old policy`, () => {
      const row = recipe(expected.recipe, expected.overrides);
      const kept = [...filterGroups(whole, row).keep_n].flatMap((keep, n) => (keep === 1 ? [n] : []));
      assert.deepEqual(kept, expected.rows, "rows kept by the filter");
      const { batch, values, input, facts } = setting(expected.old, kept);
      const { advantage_ntl, standing_nt } = advantages(
        batch,
        row,
        recipeNeeds(row).value ? values : undefined,
        input.refLogProb_ntl,
        facts,
      );
      assertClose(advantage_ntl, pick(expected.advantage, kept, width), 1e-8, "advantage");
      const { trained_ntl, correction_ntl } = corrected(batch, row, trainedTokens(batch, row));
      const weights = correction_ntl && { correction_ntl };
      const now_ntl = renewedAdvantage(row, batch, advantage_ntl, input.logProb_ntl);
      const standing = standing_nt && { standing_nt };
      const given = { ...input, mask_ntl: trained_ntl, advantage_ntl: now_ntl, ...weights, ...standing };
      const result = surrogateGradient(given, row);
      const gradient = pick(expected.gradient, kept, width);
      assertClose([result.loss], [expected.loss], 1e-8, "loss");
      assertClose(result.dLogProb_ntl, gradient, 1e-8, "gradient");
      assert.equal(result.dClipBias_ntl !== undefined, expected.clipBias !== undefined);
      if (result.dClipBias_ntl === undefined) return;
      assertClose(result.dClipBias_ntl, pick(expected.clipBias!, kept, width), 1e-8, "clip bias");
      const scale = clippingTriggeredScale(row, Math.hypot(...result.dClipBias_ntl));
      assertClose(
        result.dLogProb_ntl.map((x) => x * scale),
        pick(expected.scaledGradient!, kept, width),
        1e-8,
        "scaled gradient",
      );
    });
  }

  for (const expected of fixture.sequential) {
    it(`${expected.recipe} turn by turn, ${expected.old === "oldFar" ? "far from" : "near"} the old policy`, () => {
      const row = recipe(expected.recipe);
      const all = data.group.map((_, n) => n);
      const { batch, values, input } = setting(expected.old, all);
      const { advantage_ntl } = advantages(batch, row, recipeNeeds(row).value ? values : undefined);
      assertClose(advantage_ntl, expected.advantage, 1e-8, "advantage");
      let carry: Carry = new Map<string, number>();
      for (const step of expected.steps) {
        const result = surrogateGradient({ ...input, advantage_ntl, carry }, row, [step.turn]);
        assertClose([result.loss], [step.loss], 1e-8, `loss of turn ${String(step.turn)}`);
        assertClose(result.dLogProb_ntl, step.gradient, 1e-8, `gradient of turn ${String(step.turn)}`);
        const after = { ...input, logProb_ntl: flat(data.after), turns: [step.turn], carry };
        carry = carryAfterTurn(row, after).carry;
        assertClose(
          batch.trajectoryId.map((id) => carry.get(id)!),
          step.carry,
          1e-8,
          `carry after turn ${String(step.turn)}`,
        );
      }
    });
  }
});
