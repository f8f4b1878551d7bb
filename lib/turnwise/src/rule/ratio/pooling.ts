import { oneOf } from "../../schema";
import { named } from "../part";

/** Pooling of the log-ratios d of a unit's tokens to one ratio. */
export interface PoolingRule {
  readonly equation: string;
  /** Over log-ratios, and the sum is then exponentiated; or over the tokens' own ratios. */
  readonly over: "logs" | "ratios";
  /** Whether the sum is divided by the number of tokens. */
  readonly averaged: boolean;
}

export const poolings = {
  geometric: { equation: String.raw`\exp(\mathrm{mean}\,d)`, over: "logs", averaged: true },
  product: { equation: String.raw`\exp(\textstyle\sum d)`, over: "logs", averaged: false },
  arithmetic: { equation: String.raw`\mathrm{mean}\,\exp(d)`, over: "ratios", averaged: true },
} as const satisfies Readonly<Record<string, PoolingRule>>;

export type Pooling = keyof typeof poolings;

/** @throws {RangeError} if the name is unknown */
export const poolingRule = (name: Pooling): PoolingRule => named<PoolingRule>(poolings, "pooling", name);

export const pooling = oneOf(
  ["geometric", "product", "arithmetic"] satisfies readonly [Pooling, ...Pooling[]],
  {
    help: "Pooling of the ratios of a unit's tokens to one: the product is a density ratio, the means are not.",
  },
);
