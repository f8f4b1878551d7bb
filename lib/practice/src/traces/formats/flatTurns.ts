import { wordsOf, type StoredTurn } from "../trace";

/**
 * The environment's words within a text that holds all of an episode: what a tool answered, with the roles around it as chat templates
 * write them, with or without their special tokens. It follows a call that is complete; an answer to a call that was never made is the
 * agent's own invention, and stays with its words.
 */
const heard = new RegExp(
  [
    // Hermes and Qwen: the answers to the calls of a turn, each in <tool_response>, as a message of the user or of a tool.
    String.raw`(?<=</tool_call>)\s*(?:<\|im_end\|>\s*)?(?:(?:<\|im_start\|>)?(?:user|tool)\n\s*)?(?:<tool_response>[^]*?</tool_response>\s*)+(?:<\|im_end\|>\s*)?(?:(?:<\|im_start\|>)?assistant\n)?`,
    // Search-R1.
    String.raw`(?<=</search>)\s*<information>[^]*?</information>\s*`,
    // ReTool.
    String.raw`(?<=</code>)\s*<interpreter>[^]*?</interpreter>\s*`,
  ].join("|"),
  "g",
);

/** The turns of an episode that was stored as one text: the agent's words, and what it heard between them. */
export function turnsOfText(observation: string, text: string): StoredTurn[] {
  const turns: StoredTurn[] = [];
  let [from, before] = [0, observation];
  const add = (to?: number): void => {
    const turn = { observation: before, tokens: wordsOf(text.slice(from, to)) };
    // What was heard stands in the answer that is trained, and no mask beside it says that it is left out.
    turns.push(turns.length === 0 ? turn : { ...turn, info: { trainedBefore: wordsOf(before).length } });
  };
  for (const match of text.matchAll(heard)) {
    add(match.index);
    [before, from] = [match[0], match.index + match[0].length];
  }
  add();
  return turns;
}

/** The text of such turns. */
export const textOfTurns = (turns: readonly StoredTurn[]): string =>
  turns.map(({ observation, tokens }, t) => `${t === 0 ? "" : observation}${tokens.join("")}`).join("");
