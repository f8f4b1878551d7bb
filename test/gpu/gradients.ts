// Uses internals of turnwise/rule.
import { custom, recipe, recipeNames, surrogateGradient, surrogateLoss, type Recipe, tf } from "turnwise";
import { gates } from "turnwise/internal/rule/gate/index";
import type { LossFunction } from "turnwise/internal/rule/loss/contract";
import * as losses from "../lib/rule/losses.js";
import { besideGate, onTensors, raggedInput } from "../lib/rule/support.js";

const own: Readonly<Record<string, LossFunction>> = {
  grpo: losses.grpo,
  gspo: losses.gspo,
  sapo: losses.sapo,
  ppoPolicy: losses.ppoPolicy,
  regularized: losses.regularized,
  cispo: losses.cispo,
};

/** Every row of the table, every gate at every level of ratios, and custom losses. */
export function cases(): readonly { readonly title: string; readonly row: Recipe }[] {
  const rows = recipeNames.map((name) => ({ title: `row ${name}`, row: recipe(name) }));
  const crossed = (Object.keys(gates) as (keyof typeof gates)[]).flatMap((gate) =>
    (["token", "turn", "trajectory"] as const).map((level) => ({
      title: `gate ${gate}, ratios of each ${level}`,
      row: recipe("grpo", {
        ratio: level === "token" ? { level } : { level, pooling: "geometric" },
        ...(gates[gate].needsRatio && { gate, ...besideGate(gate) }),
      }),
    })),
  );
  const ofOnesOwn = Object.entries(own).map(([name, f]) => ({
    title: `own loss ${name}`,
    row: recipe("grpo", { loss: custom(name, f) }),
  }));
  return [...rows, ...crossed, ...ofOnesOwn];
}

/** What of a row decides how loss and gradient follow from log-probs and advantages. */
const parts = ["ratio", "gate", "aggregate", "correction", "regularizer"] as const;

/** Every choice in these parts, and the name of every number that is set. */
function choices(value: unknown, name: string): string[] {
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, inner]) => choices(inner, `${name}.${key}`));
  return [typeof value === "number" ? name : `${name}=${String(value)}`];
}

/** Of all cases, the first ones that together make every choice of these parts, and every custom loss. */
export function someCases(): ReturnType<typeof cases> {
  const made = new Set<string>();
  return cases().filter(({ row }) => {
    const own = row.loss === null ? [] : [`loss=${row.loss.label}`];
    const fresh = [...parts.flatMap((part) => choices(row[part], part)), ...own].filter(
      (one) => !made.has(one),
    );
    fresh.forEach((one) => made.add(one));
    return fresh.length > 0;
  });
}

/** How far loss and gradient on the backend that runs are from those in double precision, in units of max(1, |value|). */
export async function errorOf(row: Recipe, seed: number): Promise<number> {
  const input = raggedInput(seed);
  const exact = surrogateGradient(input, row);
  const batch = onTensors(input);
  const { value, grad } = tf.valueAndGrad(
    (x: tf.Tensor) => surrogateLoss({ ...batch, logProb_ntl: x as tf.Tensor3D }, row).loss,
  )(batch.logProb_ntl);
  const [loss, gradient] = [await value.data(), await grad.data()];
  tf.dispose([value, grad, ...(Object.values(batch) as tf.Tensor[])]);
  const errors = Array.from(
    exact.dLogProb_ntl,
    (e, i) => Math.abs(gradient[i]! - e) / Math.max(1, Math.abs(e)),
  );
  return Math.max(Math.abs(loss[0]! - exact.loss) / Math.max(1, Math.abs(exact.loss)), ...errors);
}
