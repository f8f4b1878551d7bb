import type { EnvSpec } from "../env/env";
import { LogLinearPolicy } from "./logLinear";
import { NeuralPolicy } from "./neural/neuralPolicy";
import type { Policy } from "./policy";
import { expectPolicyKind, type LogLinearOptions, type NeuralOptions, type TabularOptions } from "./options";
import { TabularPolicy } from "./tabular";
import { toolChainPolicy } from "./toolChainPolicy";

/** A policy as plain data, from which every seed of an experiment makes its own. Default kind: tabular. */
export type PolicyOptions =
  | ({ readonly kind?: "tabular" } & TabularOptions)
  | ({
      readonly kind: "logLinear";
      /** ToolChain-v0's competence. */ readonly beta?: number;
    } & LogLinearOptions)
  | NeuralOptions;

/**
 * Makes the policy that the options describe, for an environment.
 *
 * @throws {RangeError} if the kind or an option is unknown, with the nearest known name, or an option is out of range
 * @example
 * import { createPolicy, make } from "turnwise";
 * const { spec } = make("LookUp-v0");
 * createPolicy(spec, { kind: "gru", width: 16, seed: 1 }).parameters.length; // => 1590
 */
export function createPolicy(spec: EnvSpec, options: PolicyOptions = {}): Policy {
  const { kind = "tabular" } = options;
  expectPolicyKind(kind);
  switch (options.kind) {
    case "mlp":
    case "gru":
    case "transformer":
      return new NeuralPolicy(spec, options);
    case "logLinear": {
      const { kind: _, beta, ...rest } = options;
      if (beta === undefined) return new LogLinearPolicy(spec, rest);
      return toolChainPolicy(spec, { ...rest, beta, seed: rest.seed ?? 0 });
    }
    default: {
      const { kind: _, ...rest } = options;
      return new TabularPolicy(spec, rest);
    }
  }
}
