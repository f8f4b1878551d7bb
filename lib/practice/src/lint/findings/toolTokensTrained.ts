import { clear, found, unknown, type Finding } from "../contract";

export const toolTokensTrained: Finding = {
  title: "What tools wrote may be trained on",
  severity: "error",
  confidence: "possible",
  why: "Tokens of tool output and of observations are not the policy's. Trained on, they teach it to write results by itself instead of calling the tool, and the loss is of another distribution.",
  source: "Search-R1, arXiv 2503.09516, section 3.1; volcengine/verl#6719, THUDM/slime#1418",
  lesson: "06-agentic-pomdp",
  check: (s) => {
    if (s.has("maskTools") && s.gives("maskTools")) {
      return s.isOn("maskTools")
        ? clear
        : found(s.shown("maskTools"), [{ setting: "maskTools", value: true }], { confidence: "certain" });
    }
    if (s.has("multiTurn") && s.canSet("multiTurn") && !s.isOn("multiTurn")) {
      return unknown(
        `${s.shown("multiTurn")}; whether tokens of tools are in an answer is said by its loss mask alone`,
      );
    }
    return unknown(
      "whether tokens of tools are masked is said by the loss mask of stored rollouts, not by the configuration",
    );
  },
};
