import { flag, oneOf, type ValueOf } from "../../schema";
import { callCustom, named, customFunction } from "../custom/customFunction";
import { expectRepeats } from "../custom/customRepeats";
import { shown } from "../custom/customShown";
import { slopeOf } from "../custom/slopeOf";
import { ratio, type Ratio, type Shape } from "./contract";

/** The ratio of a unit, and its slope in the log-ratio of each token. */
export interface RatioValue {
  readonly ratio: number;
  /** d ratio / d log-ratio, one for each token. */
  readonly slope: ArrayLike<number>;
}

/**
 * The ratio of a unit from the log-ratios (log pi - log pi_old, nats) of its sampled tokens; without slopes, central
 * differences take them.
 */
export type RatioFunction = (logRatio: readonly number[]) => number | RatioValue;

const fields = {
  by: customFunction<RatioFunction>("The function: log-ratios of a unit's tokens in, one ratio out."),
  over: oneOf(["turn", "trajectory", "token"], { help: "The unit whose tokens share a ratio." }),
  entersOnce: flag(false, {
    help: "Counts a unit once instead of once for each of its tokens: for a product, whose slope grows with its length.",
  }),
};

export type OwnRatio = ValueOf<typeof fields>;

const field = "ratio";

const units = {
  token: { axes: [], size: (): number => 1 },
  turn: { axes: [2], size: ([, , L]: Shape): number => L },
  trajectory: { axes: [1, 2], size: ([, T, L]: Shape): number => T * L },
} as const;

/** For one choice: the axes are its own. */
export const customRatio = ({ over }: Pick<OwnRatio, "over">): Ratio<typeof fields> =>
  ratio({
    help: "A function of your own: the log-ratios of a unit's tokens in, their ratio out.",
    equation: String.raw`r=f(d_1,\dots,d_n)`,
    source: "yours",
    fields,
    label: ({ by }) => `${over}, ${by.label}`,
    formed: true,
    unitSize: units[over].size,
    axes: units[over].axes,
  });

/**
 * The ratio of a unit and its slopes, checked.
 *
 * @throws {TypeError} if the function returns something else
 * @throws {RangeError} if a number is not finite
 */
export function ownRatio(o: OwnRatio, logRatio: readonly number[]): RatioValue {
  expectRepeats(field, o, () => callCustom(field, o, [...logRatio]));
  const given = callCustom(field, o, logRatio);
  const value =
    typeof given === "number"
      ? {
          ratio: given,
          slope: logRatio.map((_, l) => slopeOf((x) => ratioAt(o, logRatio.with(l, x)), logRatio[l]!)),
        }
      : given;
  const { ratio: found, slope } = (value ?? {}) as Partial<RatioValue>;
  if (typeof found !== "number" || slope?.length !== logRatio.length) {
    throw new TypeError(
      `Cannot apply ${named(field, o)}: it must return a number or { ratio, slope } with a slope for each of the ${logRatio.length} tokens, but it returned ${shown(given)}.`,
    );
  }
  if (!Number.isFinite(found) || !Array.from(slope).every(Number.isFinite)) {
    throw new RangeError(
      `Cannot apply ${named(field, o)}: ratio and slopes must be finite, but they are ${found} and ${Array.from(slope).join(", ")} at log-ratios ${logRatio.join(", ")}.`,
    );
  }
  return { ratio: found, slope };
}

function ratioAt(o: OwnRatio, logRatio: readonly number[]): number {
  const given = callCustom(field, o, logRatio);
  return typeof given === "number" ? given : given.ratio;
}
