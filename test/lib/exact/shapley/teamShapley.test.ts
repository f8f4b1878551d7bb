// Uses internals of turnwise/policy.
import assert from "node:assert/strict";
import { checkEnv, createPolicy, createRng, enumerateReturn, make } from "turnwise";
import { inTurns, teamShapley } from "turnwise/search";
import { silenced } from "turnwise/internal/policy/silenced";

const close = (a: number, b: number): void => {
  assert.ok(Math.abs(a - b) < 1e-12, `${a} and ${b}`);
};
const memory = "turnObservation" as const;

describe("teamShapley()", () => {
  it("divides the return of a scout and an opener as by hand", () => {
    const env = make("HandOver-v0", { doors: 2, tries: 1, jamCost: 0.1, alone: 0.3, accuracy: 0.9 });
    const policy = createPolicy(env.spec, { memory });
    const DONE = 2;
    const { value, oneSided, coalitions, J } = teamShapley(env, policy, { silence: [DONE] });
    // Nobody: the scout's DONE settles for .3. The opener alone never gets its turn: .3 as well.
    close(coalitions[""]!, 0.3);
    close(coalitions["opener"]!, 0.3);
    // The scout alone, uniform over three words: DONE .3, else the opener's DONE gives up for 0.
    close(coalitions["scout"]!, 0.1);
    // Both: 1/3 of .3, and 2/3 of what the opener gets: 1/3 fits, which is the right door in half of all cases, 1/3 jams, 1/3 DONE.
    close(coalitions["scout+opener"]!, 0.1 + (2 / 3) * (1 / 6 - 0.1 / 3));
    close(J, coalitions["scout+opener"]!);
    const together = (2 / 3) * (1 / 6 - 0.1 / 3);
    close(value["scout"]!, (-0.2 + (J - 0.3)) / 2);
    close(value["opener"]!, together / 2);
    close(oneSided["opener"]!, together);
  });

  it("has the exact gradient of the team, and sums that of each agent's own share", () => {
    const env = make("HandOver-v0", { doors: 2, tries: 1 });
    const policy = createPolicy(env.spec, { memory, initialScale: 1, seed: 1 });
    const team = teamShapley(env, policy, { silence: [2], gradients: true });
    const plain = enumerateReturn(env, policy);
    plain.gradient.forEach((x, i) => {
      close(team.gradient[i]!, x);
    });
    // d phi_i / d (parameters of i) by finite differences: each agent has contexts of its own.
    const agentOf = new Map<number, string>();
    for (const agent of ["scout", "opener"]) {
      const own = enumerateReturn(env, silenced(policy, { agents: [], action: [2], learns: agent })).gradient;
      own.forEach((x, i) => {
        if (Math.abs(x) > 1e-9) agentOf.set(i, agent);
      });
    }
    assert.ok(agentOf.size >= 6);
    const step = 1e-5;
    for (const [i, agent] of agentOf) {
      const at = (shift: number): number => {
        const moved = policy.clone();
        moved.parameters[i]! += shift;
        return teamShapley(env, moved, { silence: [2] }).value[agent]!;
      };
      const slope = (at(step) - at(-step)) / (2 * step);
      assert.ok(Math.abs(slope - team.shapleyGradient[i]!) < 1e-8, `${agent}: ${slope}`);
    }
  });

  it("refuses a world of a single agent", () => {
    const env = make("LookUp-v0");
    assert.throws(() => teamShapley(env, createPolicy(env.spec), { silence: [0, 0] }), {
      name: "RangeError",
      message: "Cannot divide the return of LookUp-v0: it must have two agents or more, got 0.",
    });
  });
});

describe("inTurns()", () => {
  const env = make("ToolChain-v0");
  const team = inTurns(env, ["searcher", "reader", "answerer"]);

  it("names who takes the turn", () => {
    assert.deepEqual(team.spec.agents, ["searcher", "reader", "answerer"]);
    team.reset({ seed: 0 });
    const names = [0, 1, 2].map(() => team.step([7, 7, 7])[0].agent);
    assert.deepEqual(names, ["reader", "answerer", "answerer"]);
  });

  it("changes nothing else", () => {
    const alone = make("LookUp-v0");
    const shared = inTurns(alone, ["asker", "answerer"]);
    checkEnv(shared);
    const policy = createPolicy(alone.spec, { initialScale: 1, seed: 1 });
    close(enumerateReturn(alone, policy).J, enumerateReturn(shared, policy).J);
  });

  it("refuses a team of one, and one with more turns than the world", () => {
    assert.throws(() => inTurns(env, ["alone"]), {
      name: "RangeError",
      message:
        "Cannot share ToolChain-v0: a team must have two agents or more, and at most 4 turns, got alone.",
    });
    assert.throws(() => inTurns(env, ["a", "b", "c", "d", "e"]), { name: "RangeError" });
    assert.throws(() => inTurns({ spec: env.spec } as never, ["a", "b"]), { name: "TypeError" });
  });
});

describe("silenced()", () => {
  it("writes the same words in place of an agent, and leaves the other's draws alone", () => {
    const env = make("HandOver-v0");
    const policy = createPolicy(env.spec, { memory });
    const quiet = silenced(policy, { agents: ["opener"], action: [3] });
    const rngs = [createRng(1), createRng(2)];
    const histories = (["scout", "opener"] as const).map((agent) => ({
      observations: [{ tokens: [agent === "scout" ? 4 : 7], text: agent, agent }],
      actions: [],
    }));
    const [scout, opener] = quiet.sample(histories, rngs);
    assert.deepEqual(opener!.tokens, [3]);
    assert.deepEqual(scout!.tokens, policy.sample([histories[0]!], [createRng(1)])[0]!.tokens);
  });
});
