import { oneOf, type ValueOf } from "../../schema";
import type { Custom } from "../custom/custom";
import { callNamed, named, customFunction } from "../custom/customFunction";
import { expectRepeats } from "../custom/customRepeats";
import { shown } from "../custom/customShown";
import { slopeOf } from "../custom/slopeOf";
import { gate, HIGH, LOW, NO, type Gate, type GateBlock } from "./contract";
import { tensorGate, type TensorGate } from "./tensorGate";

/** One token, as a gate of your own sees it. */
export interface GatePoint {
  /** New over old probability of the token's unit. */
  readonly ratio: number;
  readonly advantage: number;
  /** Log-prob under the present policy, pooled as the ratio is; nats. */
  readonly logProb: number;
}

/** A gate on numbers, token by token. */
export interface ScalarGate {
  /** Objective that is maximized. */
  readonly objective: (token: GatePoint) => number;
  /**
   * d objective / d ratio, or d objective / d log pi with `through: "logProb"`. Central differences take it if it is not given:
   * at a kink, that is the mean of both sides.
   */
  readonly slope?: (token: GatePoint) => number;
  /** The bound that the ratio met, if any: only the clip fractions of the records ask. */
  readonly clipped?: (token: GatePoint) => "low" | "high" | undefined;
}

const fields = {
  by: customFunction<ScalarGate | TensorGate>(
    "The function: an expression on tensors, or an objective of numbers.",
  ),
  through: oneOf(["ratio", "logProb"], {
    help: "Carrier of the gradient of an objective of numbers: the ratio, or log pi with the ratio inside a stop-gradient.",
  }),
};

type Own = ValueOf<typeof fields>;

const field = "gate";

/** Whether a custom gate is an expression on tensors. */
export const isTensorGate = (by: Own["by"]): by is Custom<TensorGate> => typeof by.apply === "function";

/** For one choice: `through` is its own, unless an expression on tensors says for itself what carries the gradient. */
export const customGate = ({ through, by }: Pick<Own, "through"> & Partial<Own>): Gate<typeof fields> =>
  gate({
    help: "A function of your own: ratio, advantage and log-prob in, the objective out.",
    equation: String.raw`f(r,A,\log\pi)`,
    source: "yours",
    fields,
    label: ({ by }) => by.label,
    needsRatio: true,
    through: by !== undefined && isTensorGate(by) ? "both" : through,
    range: () => null,
    cutsGradient: false,
    ratioShape: null,
    evaluate: (o, x) => {
      if (isTensorGate(o.by)) return tensorGate(o.by, x);
      const scalar = scalarOf(o);
      for (let k = 0; k < x.size; k++)
        if (x.active === undefined || x.active[k] === 1) token(o, scalar, x, k);
    },
  });

function scalarOf(o: Own): ScalarGate {
  const { apply } = o.by;
  if (typeof apply === "object" && typeof apply.objective === "function") return apply;
  throw new TypeError(
    `Cannot apply ${named(field, o)}: it must have an objective, a function of one token, but it is ${shown(apply)}.`,
  );
}

function token(o: Own, f: ScalarGate, x: GateBlock, k: number): void {
  const point = { ratio: x.ratio[k]!, advantage: x.advantage[k]!, logProb: x.logProb[k]! };
  const objective = (at: GatePoint): number =>
    finite(o, "objective", callNamed(field, o, f.objective, at), at);
  for (const one of [f.objective, f.slope]) {
    if (one !== undefined) expectRepeats(field, o, () => callNamed(field, o, one, { ...point }));
  }
  x.objective[k] = objective(point);
  x.slope[k] =
    f.slope === undefined
      ? slopeOf((along) => objective({ ...point, [o.through]: along }), point[o.through])
      : finite(o, "slope", callNamed(field, o, f.slope, point), point);
  const met = f.clipped && callNamed(field, o, f.clipped, point);
  x.clipped[k] = met === "low" ? LOW : met === "high" ? HIGH : NO;
}

function finite(o: Own, name: string, value: unknown, { ratio, advantage, logProb }: GatePoint): number {
  if (typeof value === "number" && Number.isFinite(value)) return value;
  const Kind = typeof value === "number" ? RangeError : TypeError;
  throw new Kind(
    `Cannot apply ${named(field, o)}: its ${name} must be a finite number, ` +
      `but it is ${shown(value)} at ratio ${ratio}, advantage ${advantage}, log-prob ${logProb}.`,
  );
}
