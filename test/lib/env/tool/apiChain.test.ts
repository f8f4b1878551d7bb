import assert from "node:assert/strict";
import { make, type Env, optimalReturn } from "turnwise";
import { apiChainTasks, databaseDiff, writeTurn } from "turnwise/internal/env/index";
import { API_CHAIN_MILESTONES } from "turnwise/internal/env/apiChain/apiChain";
import { play, promisesOfToolEnv } from "./battery";
import type { Seen } from "../transcript";

/** Does what is missing, reading results from the transcript. */
function expert({ observations, actions }: Seen, env: Env): string {
  const level = env.spec.options["level"] as number;
  const text = observations.map((observation) => observation.text);
  const written = actions.map((action) => action.map((token) => env.spec.vocabulary[token]!).join(" "));
  const [, person] = /pay (\w+)/.exec(text[0]!)!;
  const resultOf = (call: string): string | undefined => {
    const turn = written.findIndex((action) => action.startsWith(call));
    return turn < 0 ? undefined : /\d/.exec(text[turn + 1]!)?.[0];
  };
  const did = (call: string): boolean =>
    written.some((action, i) => action.startsWith(call) && text[i + 1] === "ok");
  for (const app of level === 3 ? ["phone", "pay"] : ["pay"]) {
    const password = resultOf(`VAULT ${app}`);
    if (password === undefined) return `VAULT ${app}`;
    if (!did(`LOGIN ${app}`)) return `LOGIN ${app} ${password}`;
  }
  const account = /account (\d)/.exec(text[0]!)?.[1] ?? resultOf(`CONTACT ${person!}`);
  if (account === undefined) return `CONTACT ${person!}`;
  const amount = /amount (\d)/.exec(text[0]!)?.[1] ?? resultOf(`DEBT ${person!}`);
  if (amount === undefined) return `DEBT ${person!}`;
  return did("SEND") ? "SUBMIT" : `SEND ${account} ${amount}`;
}

const task = {
  id: "pay-bob",
  level: 2,
  numbers: 3,
  person: "bob",
  passwords: { pay: 2, phone: 1 },
  accounts: { ann: 1, bob: 3 },
  debts: { ann: 2, bob: 1 },
};

function run(turns: readonly string[]): { texts: readonly string[]; trueScore: unknown } {
  const env = make("ApiChain-v0", { tasks: [task], turnLimit: turns.length });
  const { observations, infos } = play(env, 0, ({ actions }) => writeTurn(env.spec, turns[actions.length]!));
  return { texts: observations.slice(1), trueScore: infos.at(-1)!["trueScore"] };
}

describe("ApiChain-v0", function () {
  this.timeout(60_000);
  promisesOfToolEnv({
    id: "ApiChain-v0",
    variants: [{}, { level: 2, distractors: 2 }, { level: 3, distractors: 4, taskCount: 100 }],
    expert,
    milestones: API_CHAIN_MILESTONES,
    idle: "CLOCK",
    guess: "SUBMIT",
    randomBySampling: true,
  });

  it("calls depend on each other's results, and money moves only after login", () => {
    const { texts, trueScore } = run([
      "SEND 3 1",
      "LOGIN pay 1",
      "VAULT pay",
      "LOGIN pay 2",
      "CONTACT bob",
      "SEND 3 1",
      "SUBMIT",
    ]);
    assert.deepEqual(texts, [
      "error: not logged in to pay",
      "error: wrong password",
      "result: password 2",
      "ok",
      "result: account 3",
      "ok",
      "handed in",
    ]);
    assert.equal(trueScore, 1);
  });

  it("at level 3 the phone has a password of its own", () => {
    const env = make("ApiChain-v0", { tasks: [{ ...task, level: 3 }] });
    env.reset({ seed: 0 });
    const see = (turn: string): string => env.step(writeTurn(env.spec, turn))[0].text;
    assert.equal(see("CONTACT bob"), "error: not logged in to phone");
    assert.equal(see("BLOCK bob"), "error: not logged in to phone");
    assert.equal(see("VAULT phone"), "result: password 1");
    assert.equal(see("LOGIN phone 1"), "ok");
    assert.equal(see("CONTACT bob"), "result: account 3");
    assert.equal(see("DEBT bob"), "result: amount 1");
  });

  it("the verifier reads the database: damage elsewhere and a wrong or second transfer cost everything", () => {
    const login = "LOGIN pay 2";
    const score = (...turns: string[]): unknown => run(turns).trueScore;
    assert.equal(score(login, "SEND 3 1", "SUBMIT"), 1); // how the numbers were found is not its business
    assert.equal(score(login, "SUBMIT"), 0);
    assert.equal(score(login, "SEND 1 1", "SUBMIT"), 0);
    assert.equal(score(login, "SEND 3 2", "SUBMIT"), 0);
    assert.equal(score(login, "SEND 3 1", "SEND 3 1", "SUBMIT"), 0);
    assert.equal(score(login, "SEND 3 1", "BLOCK ann", "SUBMIT"), 0);
    assert.equal(score(login, "SEND 3 1"), 0); // never handed in
    assert.deepEqual(run([login, "SEND 3 1", "SEND 3 3"]).texts.at(-1), "error: the balance is too low");
  });

  it("a diff names every leaf that changed, appeared or went", () => {
    const before = { a: 1, b: { c: [1, 2] }, d: null };
    assert.deepEqual(databaseDiff(before, before), []);
    assert.deepEqual(databaseDiff(before, { a: 2, b: { c: [1] }, d: null, e: "x" }), [
      { path: "a", before: 1, after: 2 },
      { path: "b.c.1", before: 2, after: undefined },
      { path: "e", before: undefined, after: "x" },
    ]);
  });

  it("the optimum by enumeration is 1, in as many turns as documented and not in fewer", () => {
    const optimum = (options: object): number => optimalReturn(make("ApiChain-v0", { ...options })).J;
    const near = (actual: number, expected: number): void =>
      assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
    // With three turns for LOGIN, SEND and SUBMIT the password must be guessed. Six tasks, every password twice: 1/3.
    const tasks = [1, 2, 3].flatMap((pay) =>
      ["ann", "bob"].map((person) => ({
        ...task,
        id: `${person}-${pay}`,
        level: 1,
        person,
        passwords: { pay, phone: 1 },
      })),
    );
    near(optimum({ tasks, turnLimit: 3 }), 1 / 3);
    near(optimum({ tasks, turnLimit: 4 }), 1);
    near(optimum({ tasks, turnLimit: 4, turnCost: 0.1 }), 0.6);
  });

  it("the default's optimum is 1 and level 3's within its shortest 8 calls too, in less than 10,000 beliefs", function () {
    this.timeout(60_000);
    const near = (actual: number, expected: number): void =>
      assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);
    const whole = optimalReturn(make("ApiChain-v0"), { maxBeliefs: 10_000 });
    near(whole.J, 1);
    assert.ok(whole.beliefs < 2000, `${whole.beliefs}`);
    near(optimalReturn(make("ApiChain-v0", { level: 3, taskCount: 6, turnLimit: 8 })).J, 1);
    // Paying takes LOGIN, SEND and SUBMIT.
    near(optimalReturn(make("ApiChain-v0", { level: 3, taskCount: 6, turnLimit: 2 })).J, 0);
  });

  it("an expert takes 4, 5 and 8 calls", () => {
    const calls = [1, 2, 3].map((level) => {
      const env = make("ApiChain-v0", { level });
      return play(env, 0, (seen) => writeTurn(env.spec, expert(seen, env))).turns;
    });
    assert.deepEqual(calls, [4, 5, 8]);
  });

  it("a question does not tell what it hides: every password, and every account, comes with it equally often", () => {
    for (const [level, hidden] of [
      [1, 4],
      [2, 16],
    ] as const) {
      const byQuestion = new Map<string, Set<string>>();
      for (const { person, accounts, debts, passwords } of apiChainTasks(level, 96)) {
        const question = `${person} ${debts[person]} ${level === 1 ? accounts[person] : ""}`;
        const secrets = byQuestion.get(question) ?? new Set();
        byQuestion.set(question, secrets.add(`${passwords.pay} ${accounts[person]}`));
      }
      for (const secrets of byQuestion.values()) assert.equal(secrets.size, hidden);
    }
  });

  it("refuses a task with numbers out of range", () => {
    assert.throws(
      () => make("ApiChain-v0", { tasks: [{ ...apiChainTasks(1, 1)[0]!, debts: { ann: 9, bob: 1 } }] }),
      {
        name: "RangeError",
        message: /a task must name a level, a person of ann, bob and numbers from 1 to 4, but "apiChain-1-0"/,
      },
    );
  });
});
