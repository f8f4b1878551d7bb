import { positionsByKey } from "../../base/statistics";
import { callCustom, named, customFunction } from "../custom/customFunction";
import { expectRepeats } from "../custom/customRepeats";
import { shown } from "../custom/customShown";
import { scale } from "./contract";

/** Inputs that a custom scale may ask for in addition to the advantages. */
export interface ScaleContext {
  /** Unit that one advantage belongs to. */
  readonly level: "trajectory" | "turn" | "token";
  /** The positions of each group's advantages in the list. */
  readonly groups: readonly (readonly number[])[];
  /** The return of the trajectory that each advantage belongs to, as the rule has shaped it. */
  readonly returns: readonly number[];
}

/** Advantages in, advantages out: a list of the same length. Units without a sampled token are not in it. */
export type ScaleFunction = (advantage: readonly number[], context: ScaleContext) => ArrayLike<number>;

const field = "scale";

export const custom = scale({
  help: "A function of your own: all advantages of a batch in, as many out.",
  equation: String.raw`f(A_1,\dots,A_n)`,
  source: "yours",
  fields: { by: customFunction<ScaleFunction>("The function.") },
  label: ({ by }) => by.label,
  withinGroup: () => ({ scale: "none" }),
  overBatch: (o, advantage, used, context) => {
    const { level, batch, reward } = context!;
    const width = used.length / batch.shape[0];
    const units = Array.from(used.keys()).filter((k) => used[k] === 1);
    const rows = units.map((k) => Math.floor(k / width));
    const groups = [...positionsByKey(rows.map((n) => batch.groupId[n]!)).values()];
    const returns = rows.map((n) => reward.return_n[n]!);
    const ask = (): ArrayLike<number> | undefined => {
      const before = units.map((k) => advantage[k]!);
      const own = { level, groups: groups.map((members) => [...members]), returns: [...returns] };
      return callCustom(field, o, before, own) as unknown as ArrayLike<number> | undefined;
    };
    expectRepeats(field, o, ask);
    const after = ask();
    if (after?.length !== units.length) {
      throw new TypeError(
        `Cannot apply ${named(field, o)}: it must return a number for each of the ${units.length} advantages, but it returned ${shown(after)}.`,
      );
    }
    const scaled = new Float64Array(advantage.length);
    units.forEach((k, i) => {
      if (!Number.isFinite(after[i])) {
        throw new RangeError(
          `Cannot apply ${named(field, o)}: it must return finite numbers, but entry ${i} is ${shown(after[i])}.`,
        );
      }
      scaled[k] = after[i]!;
    });
    return { advantage: scaled, metrics: {} };
  },
});
