import { displaySymbol, type MimeBundle } from "../base/display";
import { expectOwnId } from "./registry";

/** The text of a cell, to be copied and changed. */
export class CellText {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }

  [displaySymbol](): MimeBundle {
    return { "text/markdown": `\`\`\`ts\n${this.text}\n\`\`\``, "text/plain": this.text };
  }
}

/**
 * The text of a cell that makes a small world of your own, with comments, complete and ready to run: copy it and change it.
 *
 * @throws {RangeError} if the id does not look like "Name-v0" or is one of the library's
 * @example
 * import { worldTemplate } from "turnwise";
 * worldTemplate("Peek-v0"); // a notebook shows the cell; `text` is its text
 */
export function worldTemplate(id: string): CellText {
  expectOwnId(id);
  return new CellText(template.replaceAll("Peek-v0", id));
}

const template = `
import { GameEnv, make, register, type Game, type Observation } from "turnwise";
import { worldCard } from "turnwise/exact";

// A coin lies under one of two cups. To peek costs 0.1 and shows the right cup nine times in ten;
// a guess ends the episode and pays 1 if it is right.

// The hidden state: plain data that the agent never sees.
interface PeekState {
  readonly coin: "left" | "right";
  readonly turn: number;
}

// Tokens 0, 1, 2 are what the agent may write; 3, 4, ... are what only the world says.
const vocabulary = ["left", "right", "peek"];
const observationVocabulary = ["two-cups", "saw-left", "saw-right", "done"];
const see = (name: string): Observation => ({
  tokens: [vocabulary.length + observationVocabulary.indexOf(name)],
  text: name,
});

const peek: Game<PeekState> = {
  spec: {
    id: "Peek-v0",
    skill: "look before you guess",
    vocabulary,
    observationVocabulary,
    maxTurns: 3,
    maxTokens: 1, // how many tokens a turn may have
    options: {},
  },

  // Every way in which an episode may begin, with its probability.
  start: () =>
    (["left", "right"] as const).map((coin) => ({
      probability: 0.5,
      state: { coin, turn: 1 },
      observation: see("two-cups"),
      reward: 0,
      terminated: false,
    })),

  // Everything that may follow what the agent writes, with its probability. It must not change the
  // old state, but give a new one.
  transition({ coin, turn }, [token]) {
    const state: PeekState = { coin, turn: turn + 1 };
    const written = vocabulary[token!];
    if (written !== "peek") {
      const right = written === coin;
      const reward = right ? 1 : 0;
      const info = { success: right };
      return [{ probability: 1, state, observation: see("done"), reward, terminated: true, info }];
    }
    const other = coin === "left" ? "right" : "left";
    const rest = { state, reward: -0.1, terminated: turn === 3 };
    return [
      { probability: 0.9, observation: see(\`saw-\${coin}\`), ...rest },
      { probability: 0.1, observation: see(\`saw-\${other}\`), ...rest },
    ];
  },

  // The state for people: transcripts show it.
  render: ({ coin, turn }) => \`turn \${turn}, the coin lies under the \${coin} cup\`,
};

register("Peek-v0", () => new GameEnv(peek)); // run the cell again, and it is replaced
worldCard(make("Peek-v0")); // tries the world out; its optimum is 0.8: peek once, then guess
`.trim();
