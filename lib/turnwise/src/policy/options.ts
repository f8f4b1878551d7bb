import { didYouMean } from "../base/suggest";
import { show } from "../base/show";
import {
  count,
  flag,
  group,
  instance,
  number,
  oneOf,
  optional,
  quoted,
  resolve,
  whole,
  type Fields,
  type ValueOf,
} from "../schema";

/** An initial weight of a pre-trained policy, on the row (place in the turn, observation). */
export interface PriorWeight {
  /** 0-based place of the token within its turn. */
  readonly place: number;
  /** 0-based index in the observation vocabulary. */
  readonly observation: number;
  readonly token: number;
  readonly weight: number;
}

const shared = {
  seed: whole(0, { atLeast: 0, help: "The initial weights are drawn from it." }),
  valueHead: flag(false, { help: "Adds an estimate of the value, which rules with a critic train." }),
};

const tabular = {
  memory: oneOf(["history", "turnObservation", "observation"], {
    help:
      "What a row of the table stands for: everything seen and done, the turn and the last observation, or the last " +
      "observation alone.",
  }),
  initialScale: number(0, {
    atLeast: 0,
    help: "Standard deviation of the initial logits; 0 is the uniform policy.",
    unit: "nats",
  }),
  syntaxPrior: number(0, {
    help:
      "Added to the initial logits of the tokens that the syntax of calls allows at their place. It stands for a model that " +
      "was taught the format of calls but not the task; 0 is a model that knows nothing.",
    unit: "nats",
  }),
  ...shared,
};

const logLinear = {
  initialScale: number(0.3 / 2.2, { atLeast: 0, help: "Standard deviation of the initial weights." }),
  perTurn: flag(false, { help: "Whether every turn has its own rows; otherwise turns share all of them." }),
  prior: optional(
    instance<readonly PriorWeight[]>("a list of weights", Array.isArray, {
      help: "Weights that are added to the initial ones, as of a policy that was trained before.",
    }),
  ),
  ...shared,
};

const windowOf = (tokens: number): ReturnType<typeof count> =>
  count(tokens, {
    help: "Number of latest tokens that it sees, including those of the present turn.",
    unit: "tokens",
  });

const network = {
  width: count(32, { help: "Width of the hidden state." }),
  window: windowOf(64),
  compute: oneOf(["float64", "wasm", "auto"], {
    help:
      "Double precision; fused kernels on 32-bit floats, which are many times faster and whose last bits differ between " +
      "engines with relaxed SIMD (Node 22 and later) and without; or the faster one for this size, by a self-test.",
  }),
  ...shared,
};

/** Every kind of policy with its options: types, defaults, refusals and printed tables are made from them. */
export const policyFields = {
  tabular,
  logLinear,
  mlp: { ...network, window: windowOf(12) },
  gru: network,
  transformer: {
    ...network,
    layers: count(1, { help: "Blocks of attention, each with two dense layers." }),
    heads: count(2, { help: "Heads of attention; the width must be a multiple of their number." }),
  },
} satisfies Readonly<Record<string, Fields>>;

export type PolicyKind = keyof typeof policyFields;

type OptionsOf<K extends PolicyKind> = Partial<ValueOf<(typeof policyFields)[K]>>;

export type TabularOptions = OptionsOf<"tabular">;
export type LogLinearOptions = OptionsOf<"logLinear">;
/** `layers` and `heads` belong to the transformer alone. */
export type NeuralOptions = { readonly kind: "mlp" | "gru" | "transformer" } & OptionsOf<"transformer">;

/** Arithmetic of a network. */
export type Compute = "float64" | "wasm";

/** The options of a network with their defaults. */
export type NeuralSettings = Pick<NeuralOptions, "kind" | "layers" | "heads"> &
  ValueOf<(typeof policyFields)["mlp"]>;

/**
 * The options of a policy with their defaults.
 *
 * @throws {RangeError} if an option is unknown or out of range
 * @throws {TypeError} if an option has the wrong type
 */
export function readPolicyOptions<K extends PolicyKind>(
  kind: K,
  given: object,
): ValueOf<(typeof policyFields)[K]> {
  const schema = group<Fields>(policyFields[kind]);
  const found = resolve(schema, given, { action: `make a ${kind} policy`, owner: "its options" });
  return found as ValueOf<(typeof policyFields)[K]>;
}

/** @throws {RangeError} if there is no policy of this kind */
export function expectPolicyKind(kind: unknown): asserts kind is PolicyKind {
  const kinds = Object.keys(policyFields);
  if (typeof kind === "string" && kinds.includes(kind)) return;
  const hint = typeof kind === "string" ? didYouMean(kind, kinds) : "";
  throw new RangeError(`Cannot make a policy: kind must be ${quoted(kinds)}, got ${show(kind)}.${hint}`);
}
