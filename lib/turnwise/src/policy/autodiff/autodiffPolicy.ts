import { expectKnown, expectWhole } from "../../base/expect";
import { textOfData } from "../../base/functionText";
import { show } from "../../base/show";
import { isEnumerable, type Env, type EnvSpec, type Observation } from "../../env/env";
import type { tf } from "../../tensor";
import type { History, PolicyFactory } from "../policy";
import { AutodiffInstance, type Definition } from "./instance";
import type { PolicyInput } from "./input";
import type { ParameterInits, PolicySizes } from "./parameters";

/** The parameters as tensors, by name. */
export type ParameterTensors<P> = { readonly [K in keyof P]: tf.Tensor };

/** A policy by its forward pass alone. */
export interface AutodiffOptions<P extends ParameterInits> {
  /** For tables, charts and checkpoints. Default "autodiff". */
  readonly name?: string;
  /** Each parameter's shape, and where it begins; a function where the shapes depend on the world. */
  readonly parameters: P | ((sizes: PolicySizes) => P);
  /** Number of latest tokens that `x` holds, including those of the present turn. Default 12; idle beside `features`. */
  readonly window?: number;
  /** Features of a history before a turn: the same number of numbers each time. Without it, it reads the latest tokens. */
  features?(history: History): readonly number[];
  /** [B, V]: the logits of the next token at each of B places. */
  logits(tensors: typeof tf, p: ParameterTensors<P>, x: PolicyInput): tf.Tensor;
  /** [B]: the value before the turn, for rules with a critic. It is asked at every place, and read at the first of a turn. */
  value?(tensors: typeof tf, p: ParameterTensors<P>, x: PolicyInput): tf.Tensor;
}

const WINDOW = 12;

/**
 * A policy of your own by its forward pass on tensors: sampling, evaluation, gradients, checkpoints and the table of
 * parameters come from it.
 *
 * ```
 * pi(token | history, turn so far) = softmax(logits(tf, p, x))
 * ```
 * It returns a function that makes the policy for an environment, which `train({ policy })` takes: each seed makes its own.
 * `logits` is asked for B places at once, and each distinct one is computed once. TensorFlow.js computes in 32-bit floats:
 * the optimizer moves a 64-bit vector, which is rounded when the forward pass reads it. `checkPolicy` tries it out.
 *
 * @throws {TypeError} if `logits` is no function
 * @throws {RangeError} if an option is unknown
 * @example
 * import { autodiffPolicy, make } from "turnwise";
 * const linear = autodiffPolicy({
 *   name: "linear",
 *   parameters: ({ features, vocabulary }) => ({ W: [features, vocabulary], b: [vocabulary] }),
 *   logits: (tf, { W, b }, x) => tf.add(tf.matMul(x.features, W), b),
 * });
 * linear(make("LookUp-v0")).parameters.length; // => 942
 */
export function autodiffPolicy<const P extends ParameterInits>(o: AutodiffOptions<P>): PolicyFactory {
  const { name = "autodiff" } = o;
  const action = `make policy "${name}"`;
  expectKnown(action, o, ["name", "parameters", "window", "features", "logits", "value"]);
  for (const head of ["logits", "value", "features"] as const) {
    if (typeof o[head] === "function" || (head !== "logits" && o[head] === undefined)) continue;
    throw new TypeError(`Cannot ${action}: ${head} must be a function, got ${show(o[head])}.`);
  }
  if (o.features && o.window !== undefined) {
    throw new RangeError(`Cannot ${action}: window must be left out beside features, but it is ${o.window}.`);
  }
  expectWhole(action, "window", o.window ?? WINDOW, 1);
  const make: PolicyFactory = (env, { seed = 0, valueHead = false } = {}) => {
    if (valueHead && !o.value) {
      throw new TypeError(
        `Cannot ${action} for this rule: a rule with a critic needs a value. Add value: (tf, p, x) => a tensor [B].`,
      );
    }
    return new AutodiffInstance(definitionFor(env, name, o), env.spec, seed);
  };
  // The text of `make` is that of every own policy: what tells two of them apart is what they are made from.
  const text = `autodiffPolicy(${textOfData(o)})`;
  return Object.defineProperties(make, { name: { value: name }, toString: { value: () => text } });
}

function definitionFor<P extends ParameterInits>(env: Env, name: string, o: AutodiffOptions<P>): Definition {
  const own = o.features ? ownFeatures(name, o.features, { observations: [firstOf(env)], actions: [] }) : 0;
  const sizes = sizesOf(env.spec, own, o.window ?? WINDOW);
  const parameters: ParameterInits =
    typeof o.parameters === "function" ? o.parameters(sizes) : (o.parameters ?? {});
  return {
    ...(o as unknown as Pick<Definition, "logits" | "value" | "features">),
    name,
    encoding: { sizes, own },
    parameters,
  };
}

function sizesOf(
  { vocabulary, observationVocabulary, maxTokens }: EnvSpec,
  own: number,
  K: number,
): PolicySizes {
  const V = vocabulary.length;
  const tokens = own > 0 ? V : V + observationVocabulary.length;
  const window = own > 0 ? Math.max(1, maxTokens - 1) : K;
  return { vocabulary: V, features: own + window * tokens, tokens, window, maxTokens };
}

/** A first observation, without disturbing an episode where that is possible. */
function firstOf(env: Env): Observation {
  if (isEnumerable(env)) return env.start()[0]!.observation;
  return (env.fork?.() ?? env).reset({ seed: 0 })[0];
}

function ownFeatures(
  name: string,
  features: (history: History) => readonly number[],
  history: History,
): number {
  const given: unknown = features(history);
  if (Array.isArray(given) && given.length > 0) return given.length;
  throw new TypeError(
    `Cannot make policy "${name}": features must return a list of numbers, got ${show(given)}.`,
  );
}
