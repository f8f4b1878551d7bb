import { didYouMean } from "../../base/suggest";
import { show } from "../../base/show";
import { createRng, type Rng } from "../../base/rng";
import { blockSize } from "../neural/network";

/** Sizes on which the shapes of a custom policy's parameters may depend. */
export interface PolicySizes {
  /** V: how many tokens the policy chooses from. */
  readonly vocabulary: number;
  /** F: the length of a row of `x.features`. */
  readonly features: number;
  /** Number of different tokens that may appear in `x.tokens`: the policy's own and those of observations. */
  readonly tokens: number;
  /** K: the length of a row of `x.tokens`. */
  readonly window: number;
  /** L: the most tokens of a turn. */
  readonly maxTokens: number;
}

/**
 * A parameter: its shape, and where its values begin.
 *
 * A shape alone begins at 0 for a vector or a scalar, and at normal draws with standard deviation 1 / sqrt(rows) for a
 * matrix. `init` is one number for all, the values themselves, row after row, or a draw for each from the policy's seed.
 */
export type ParameterInit =
  | readonly number[]
  | {
      readonly shape: readonly number[];
      readonly init: number | ArrayLike<number> | ((rng: Rng) => number);
    };

/** Parameters by name. */
export type ParameterInits = Readonly<Record<string, ParameterInit>>;

/** A block of the flat vector of parameters. */
export interface Block {
  readonly name: string;
  readonly shape: readonly number[];
  readonly offset: number;
  readonly count: number;
}

/**
 * Lays the parameters out in one vector and draws their first values.
 *
 * @throws {TypeError} if a parameter has no shape, or values of another length
 */
export function layOut(
  policy: string,
  inits: ParameterInits,
  seed: number,
): { blocks: readonly Block[]; values: Float64Array } {
  const names = Object.keys(inits);
  if (names.length === 0) {
    throw new TypeError(`Cannot make policy "${policy}": parameters must name at least one, got {}.`);
  }
  const rng = createRng(seed).split(policy);
  let offset = 0;
  const blocks = names.map((name): Block => {
    const shape = shapeOf(policy, name, inits[name]!);
    const block = { name, shape, offset, count: blockSize(shape) };
    offset += block.count;
    return block;
  });
  const values = new Float64Array(offset);
  for (const block of blocks) fill(policy, block, inits[block.name]!, rng.split(block.name), values);
  return { blocks, values };
}

function shapeOf(policy: string, name: string, given: ParameterInit): readonly number[] {
  const shape: unknown = Array.isArray(given)
    ? given
    : (given as { readonly shape?: unknown } | null | undefined)?.shape;
  const fits =
    Array.isArray(shape) && shape.every((size: unknown) => Number.isInteger(size) && (size as number) >= 1);
  if (fits) return Object.freeze([...(shape as number[])]);
  throw new TypeError(
    `Cannot make policy "${policy}": parameter ${name} must be a shape such as [4, 3], or { shape, init }, ` +
      `got ${typeof given === "function" ? "a function" : show(given)}.`,
  );
}

function fill(
  policy: string,
  { name, shape, offset, count }: Block,
  given: ParameterInit,
  rng: Rng,
  values: Float64Array,
): void {
  const init = "init" in given ? given.init : defaultInit(shape);
  if (typeof init === "function") {
    for (let i = 0; i < count; i++) values[offset + i] = init(rng);
  } else if (typeof init === "number") {
    values.fill(init, offset, offset + count);
  } else {
    if (init.length !== count) {
      throw new TypeError(
        `Cannot make policy "${policy}": init of parameter ${name} must have ${count} values (${shape.join(" x ")}), ` +
          `got ${init.length}.`,
      );
    }
    values.set(init, offset);
  }
  const bad = values.subarray(offset, offset + count).findIndex((x) => !Number.isFinite(x));
  if (bad < 0) return;
  throw new RangeError(
    `Cannot make policy "${policy}": init of parameter ${name} must be finite, but value ${bad} is ${values[offset + bad]}.`,
  );
}

function defaultInit(shape: readonly number[]): number | ((rng: Rng) => number) {
  if (shape.length < 2) return 0;
  const scale = 1 / Math.sqrt(shape.at(-2)!);
  return (rng) => scale * rng.normal();
}

/** The parameters by name, which refuse any other name: a misspelled one would otherwise be `undefined` in some tensor operation. */
export function strictly<X>(policy: string, part: string, named: Readonly<Record<string, X>>): typeof named {
  return new Proxy(named, {
    get(target, key) {
      if (typeof key !== "string" || Object.hasOwn(target, key)) return Reflect.get(target, key) as X;
      const known = Object.keys(target);
      throw new RangeError(
        `Cannot compute ${part} of policy "${policy}": a parameter must be one of ${known.join(", ")}, ` +
          `got "${key}".${didYouMean(key, known)}`,
      );
    },
  });
}
