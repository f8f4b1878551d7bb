import type { EnvSpec } from "../env/env";
import { LogLinearPolicy, type LogLinearOptions } from "./logLinear";
import { NeuralPolicy } from "./neural/neuralPolicy";
import type { NeuralOptions } from "./neural/options";
import type { Policy } from "./policy";
import { TabularPolicy, type TabularOptions } from "./tabular";
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
 * @throws {RangeError} if the kind is unknown or an option is out of range
 * @example
 * import { createPolicy, make } from "turnwise";
 * const { spec } = make("LookUp-v0");
 * createPolicy(spec, { kind: "gru", width: 16, seed: 1 }).parameters.length; // => 1590
 */
export function createPolicy(spec: EnvSpec, options: PolicyOptions = {}): Policy {
  switch (options.kind) {
    case undefined:
    case "tabular": {
      const { kind: _kind, ...rest } = options;
      return new TabularPolicy(spec, rest);
    }
    case "logLinear": {
      const { kind: _kind, beta, ...rest } = options;
      if (beta === undefined) return new LogLinearPolicy(spec, rest);
      return toolChainPolicy(spec, { ...rest, beta, seed: rest.seed ?? 0 });
    }
    case "mlp":
    case "gru":
    case "transformer":
      return new NeuralPolicy(spec, options);
    default:
      throw new RangeError(
        `Cannot make a policy as kind must be tabular, logLinear, mlp, gru or transformer: current value is "${String((options as { kind: unknown }).kind)}"`,
      );
  }
}
