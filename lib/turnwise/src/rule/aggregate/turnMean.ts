import { oneOf } from "../../schema";
import { aggregate } from "./contract";

export const turnMean = aggregate({
  help: "Every turn counts the same, in its trajectory or in the batch, and in it every token.",
  equation: String.raw`\frac1{N\,K_n\,M_{nt}}\ \text{over trajectories},\quad\frac1{K\,M_{nt}}\ \text{over the batch}`,
  source: "WebAgent-R1, arXiv 2505.16421 (trajectory); StepPO, arXiv 2604.18401 (batch)",
  fields: {
    over: oneOf(["trajectory", "batch"], { help: "Unit over which turns are averaged first." }),
  },
  label: ({ over }) => `turnMean, ${over}`,
  everywhere: () => null,
  of: ({ over }, { T, rows, turns, turns_n, tokens_nt }, n, t) => {
    const count = tokens_nt[n * T + t]!;
    return over === "trajectory" ? rows * turns_n[n]! * count : turns * count;
  },
});
