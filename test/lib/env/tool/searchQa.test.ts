import assert from "node:assert/strict";
import { make, optimalReturn } from "turnwise";
import { searchQaTasks, writeTurn, type SearchQaTask } from "turnwise/internal/env/index";
import { followPath } from "turnwise/internal/env/searchQa/tasks";
import { SEARCH_QA_MILESTONES } from "turnwise/internal/env/searchQa/searchQa";
import { play, promisesOfToolEnv } from "./battery";
import type { Seen } from "../transcript";

/** Follows the question from fact to fact; turns the page while the fact is missing. */
function expert({ observations }: Seen): string {
  const [question, ...results] = observations.map((observation) => observation.text);
  const words = question!.slice("question: ".length, -1).split(" of ");
  let entity = words.pop()!;
  for (const relation of words.reverse()) {
    const fact = results
      .flatMap((text) => text.replace("result: ", "").split(", "))
      .map((text) => text.split(" "))
      .find(([subject, by]) => subject === entity && by === relation);
    if (!fact) {
      const last = results.at(-1);
      return last?.includes(` ${entity} `) && last.endsWith("more") ? "NEXT" : `SEARCH ${entity}`;
    }
    entity = fact[2]!;
  }
  return `ANSWER ${entity}`;
}

const task: SearchQaTask = {
  id: "bridge",
  level: 1,
  entity: "ada",
  relations: ["born", "bridge"],
  facts: [
    ["ada", "works", "rome"],
    ["ada", "born", "oslo"],
    ["oslo", "bridge", "nile"],
    ["oslo", "harbour", "ural"],
    ["rome", "bridge", "ural"],
  ],
  answer: "nile",
};

describe("SearchQa-v0", function () {
  this.timeout(60_000);
  promisesOfToolEnv({
    id: "SearchQa-v0",
    variants: [{}, { level: 2, distractors: 2, view: 2 }, { level: 3, taskCount: 100 }],
    expert,
    milestones: SEARCH_QA_MILESTONES,
    idle: "SEARCH ada",
    guess: "ANSWER nile",
    randomBySampling: true,
  });

  it("a search shows one page at a time, and only of the entity that was asked for", () => {
    const env = make("SearchQa-v0", { tasks: [task], turnLimit: 8 });
    assert.equal(env.reset({ seed: 0 })[0].text, "question: bridge of born of ada?");
    const see = (turn: string): string => env.step(writeTurn(env.spec, turn))[0].text;
    assert.equal(see("NEXT"), "error: nothing was searched");
    assert.equal(see("SEARCH ada"), "result: ada works rome, more");
    assert.equal(see("NEXT"), "result: ada born oslo");
    assert.equal(see("NEXT"), "error: nothing more is known of ada");
    assert.equal(see("SEARCH nile"), "error: nothing is known of nile");
    assert.equal(see("SEARCH oslo"), "result: oslo bridge nile, more");
    assert.equal(env.step(writeTurn(env.spec, "ANSWER nile"))[1], 1);
    const wide = make("SearchQa-v0", { tasks: [task], view: 2 });
    wide.reset({ seed: 0 });
    assert.equal(
      wide.step(writeTurn(wide.spec, "SEARCH ada"))[0].text,
      "result: ada works rome, ada born oslo",
    );
  });

  it("the answer must match exactly: the end of another path is worth nothing", () => {
    const env = make("SearchQa-v0", { tasks: [task] });
    for (const answer of ["ural", "oslo", "ada"]) {
      const { infos } = play(env, 0, () => writeTurn(env.spec, `ANSWER ${answer}`));
      assert.equal(infos[0]!["trueScore"], 0);
    }
  });

  it("the optimum by enumeration is what arithmetic says", () => {
    // Four questions that look alike; born leads to oslo or rome, and the bridge there crosses the nile or the ural.
    const tasks = [0, 1, 2, 3].map((i): SearchQaTask => {
      const city = i < 2 ? "oslo" : "rome";
      const river = i % 2 === 0 ? "nile" : "ural";
      const other = river === "nile" ? "ural" : "nile";
      const elsewhere = city === "oslo" ? "rome" : "oslo";
      return {
        ...task,
        id: String(i),
        facts: [
          ["ada", "born", city],
          [city, "bridge", river],
          [elsewhere, "bridge", other],
        ],
        answer: river,
      };
    });
    const optimum = (options: object): number => optimalReturn(make("SearchQa-v0", { tasks, ...options })).J;
    const near = (actual: number, expected: number): void =>
      assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
    near(optimum({ turnLimit: 3 }), 1); // SEARCH ada, SEARCH the city, ANSWER
    near(optimum({ turnLimit: 2 }), 0.5); // one fact alone says nothing of the river
    near(optimum({ turnLimit: 1 }), 0.5);
    near(optimum({ turnLimit: 3, turnCost: 0.1 }), 0.7);
    near(optimum({ turnLimit: 3, turnCost: 0.4 }), 0.1); // answer blindly at once: .5 - .4, against 1 - 1.2
    near(optimum({ tasks: searchQaTasks(1, 4) }), 1);
  });

  it("the last relation decides: any other one of the same entity leads to a wrong answer", () => {
    for (let level = 1; level <= 3; level++) {
      for (const { facts, entity, relations, answer } of searchQaTasks(level, 50)) {
        const before = followPath(facts, entity, relations.slice(0, -1))!.at(-1);
        const others = facts.filter(([subject, by]) => subject === before && by !== relations.at(-1));
        assert.ok(others.length > 0);
        for (const [, , object] of others) assert.notEqual(object, answer);
      }
    }
  });

  it("a question does not tell its answer: the best blind agent is right one time in four", () => {
    for (let level = 1; level <= 3; level++) {
      const blind = optimalReturn(make("SearchQa-v0", { level, turnLimit: 1 })).J;
      assert.ok(Math.abs(blind - 1 / 4) < 1e-12, `level ${level}: ${blind}`);
    }
  });

  it("refuses a knowledge base that does not lead to the answer", () => {
    assert.throws(() => make("SearchQa-v0", { tasks: [{ ...task, answer: "ural" }] }), {
      name: "RangeError",
      message:
        'Cannot make SearchQa-v0: the facts must lead to the answer, but "bridge" leads to nile, and the answer is ural.',
    });
  });
});
