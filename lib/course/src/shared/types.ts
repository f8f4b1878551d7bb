export type { CalculatorTask } from "turnwise/internal/env/index";
