import assert from "node:assert/strict";
import { make, type Action, type EnumerableEnv } from "turnwise";
import { syntaxOf } from "turnwise/internal/env/tool/grammar";

const TOOLS = ["ApiChain-v0", "Calculator-v0", "Codebreaker-v0", "MemoryDesk-v0", "SearchQa-v0"];

/** A turn without what stands after its call and is ignored. */
function shortened(action: Action, endToken: number, means: (action: Action) => string): Action {
  for (let length = 1; length < action.length; length++) {
    const short = [...action.slice(0, length), endToken];
    if (means(short) === means(action)) return short;
  }
  return action;
}

describe("the syntax of calls", () => {
  it("has END wherever some call may be complete, and everything that a form allows", () => {
    const forms = [[["NEXT"]], [["GO"], ["up", "down"]], [["SAY"], ["up"], ["twice"]]];
    const vocabulary = ["GO", "NEXT", "SAY", "down", "twice", "up", "END"];
    // place 0: a tool. Place 1: down, up, or END after NEXT. Place 2: twice, or END. Place 3: END.
    assert.deepEqual(syntaxOf(forms, vocabulary, 4), [[0, 1, 2], [3, 5, 6], [4, 6], [6]]);
  });

  for (const id of TOOLS) {
    for (const distractors of [0, 1]) {
      it(`of ${id} with ${distractors} distractors is what its well-formed calls are made of, and nothing else`, () => {
        const env = make(id, { distractors }) as EnumerableEnv;
        const { endToken, syntax, vocabulary } = env.spec;
        const starts = env.start().map(({ state }) => state);
        const means = (action: Action): string =>
          JSON.stringify(starts.map((state) => env.transition(state, action)));
        const used = syntax!.map(() => new Set<number>());
        for (const { action } of env.actionClasses!()!) {
          if (env.transition(starts[0], action)[0]!.info!.call === "malformed") continue;
          shortened(action, endToken!, means).forEach((token, place) => used[place]!.add(token));
        }
        const words = (tokens: Iterable<number>): string[] =>
          [...tokens].map((token) => vocabulary[token]!).sort();
        // Turns as long as a turn may be need no END.
        assert.deepEqual(
          used.map(words),
          syntax!.map((tokens) => words(tokens)),
        );
      });
    }
  }
});
