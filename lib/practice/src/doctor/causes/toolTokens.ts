import { lintInWords, lintOf, type CauseKind } from "./contract";

export const toolTokens: CauseKind = {
  title: "what tools wrote is trained on",
  section: "tool-tokens",
  lesson: "06-agentic-pomdp",
  look: (view) => {
    const config = lintOf(view, "tool-tokens-trained");
    if (config.length === 0) return undefined;
    return { evidence: config.map(lintInWords), weight: 50, change: config[0]!.change };
  },
};
