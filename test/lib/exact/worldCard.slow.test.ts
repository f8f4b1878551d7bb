// Uses internals of turnwise/env.
import assert from "node:assert/strict";
import { GameEnv, make, Wrapper, type Env } from "turnwise";
import { worldCard } from "turnwise/exact";
import { displaySymbol } from "turnwise/plot";
import { libraryWorlds } from "turnwise/internal/env/worlds";

/** An environment that cannot be enumerated. */
function hidden(env: Env): Env {
  const wrapped = new Wrapper(env);
  for (const part of ["start", "transition", "returnBounds", "actionClasses"]) {
    Reflect.deleteProperty(wrapped, part);
  }
  return wrapped;
}

const figureOf = (card: ReturnType<typeof worldCard>, name: string): string =>
  card.rows.find((row) => row.name === name)!.figure!;

describe("the card of a world", function () {
  this.timeout(60_000);

  it("tells what is written, how long an episode is, and the exact returns of the best and the random agent", () => {
    assert.equal(
      worldCard("Tiger-v0")[displaySymbol]()["text/plain"],
      [
        "Tiger-v0",
        "information gathering: listen before you act",
        "✓ keeps the contract           checkEnv finds nothing wrong",
        "· the agent writes             LISTEN, OPEN-LEFT, OPEN-RIGHT",
        "· the world says               doors, hear-left, hear-right, opened",
        "· hidden at the start          which of 2 starts it is: side=0, side=1",
        "· it begins with               two closed doors",
        "· an episode                   at most 4 turns of one token",
        "· the best agent gets          2.465, exactly, by solving 10 information states",
        '                               A best first turn after "two closed doors" is "LISTEN".',
        "· the random agent gets        -44.9383, exactly",
        "✓ there is something to learn  47.4033",
      ].join("\n"),
    );
  });

  it("draws where an agent begins, where observations are maps", () => {
    const shown = worldCard("FrozenLake-v0", { maxBeliefs: 10 })[displaySymbol]();
    const html = String(shown["text/html"]);
    assert.equal(html.match(/<svg [^>]*role="img" aria-label="PFFF\nFHFH\nFFFH\nHFFG"/g)?.length, 1);
    assert.ok(String(shown["text/plain"]).includes("\nPFFF\nFHFH\nFFFH\nHFFG\n"));
    // Eight rooms, of which four are drawn.
    const rooms = String(worldCard("Sokoban-v0", { maxBeliefs: 10 })[displaySymbol]()["text/html"]);
    assert.equal(rooms.match(/<svg /g)?.length, 4);
  });

  it("is made for every world of the library", () => {
    for (const { id } of libraryWorlds) assert.ok(worldCard(id).ok, id);
  });

  it("says that a world is too large, with the limit, and what the random agent gets all the same", () => {
    const card = worldCard("MemoryDesk-v0", { maxBeliefs: 20 });
    const row = card.rows.find(({ name }) => name === "the best agent gets")!;
    assert.equal(row.figure, "unknown");
    assert.match(row.hint!, /^Too large to enumerate\. Cannot .*at most 20 .*\.$/);
    assert.equal(figureOf(card, "the random agent gets"), "0.1217, exactly");
    assert.ok(card.ok);
  });

  it("plays a thousand episodes where a world lists no outcomes", () => {
    const card = worldCard(hidden(make("KeyDoor-v0")));
    assert.equal(
      card.rows.find(({ name }) => name === "the best agent gets")!.hint,
      "The world lists no outcomes: start and transition are missing.",
    );
    const figure = figureOf(card, "the random agent gets");
    const [, mean, error] = /^(\S+) ± (\S+), the mean of 1000 episodes and its standard error$/.exec(figure)!;
    // The exact return is 1 / 5; the error of a mean of 1000 such draws is sqrt(.2 x .8 / 1000) = .0126.
    assert.ok(Math.abs(Number(mean) - 0.2) < 4 * 0.0126, figure);
    assert.ok(Math.abs(Number(error) - 0.0126) < 0.002, figure);
  });

  it("says that there is nothing to learn where every agent gets the same", () => {
    const seen = { tokens: [2], text: "?" };
    const env = new GameEnv({
      spec: {
        id: "Same-v0",
        skill: "none",
        vocabulary: ["a", "b"],
        observationVocabulary: ["?"],
        maxTurns: 1,
        maxTokens: 1,
        options: {},
      },
      start: () => [{ probability: 1, state: 0, observation: seen, reward: 0, terminated: false }],
      transition: () => [{ probability: 1, state: 1, observation: seen, reward: 1, terminated: true }],
      render: String,
    });
    const card = worldCard(env);
    assert.equal(card.ok, false);
    assert.deepEqual(card.rows.at(-1), {
      name: "there is something to learn",
      ok: false,
      figure: "random is best",
      hint: "Give a reward that depends on what the agent writes.",
    });
  });

  it("throws the sentence of checkEnv where a world breaks its contract", () => {
    const env = make("Tiger-v0");
    const broken = new Wrapper(env);
    broken.step = (action) => {
      const [observation, , ...rest] = env.step(action);
      return [observation, NaN, ...rest];
    };
    assert.throws(() => worldCard(broken), { name: "EnvContractError", message: /^Tiger-v0: .*NaN/ });
  });
});
