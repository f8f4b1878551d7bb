export type { CalculatorTask } from "turnwise/internal/env/index";
export type { EnvFacts } from "turnwise/internal/env/registry";
