import { data, group, type Static } from "../../schema";
import type { Observation } from "../env";
import { GameEnv } from "../game";
import { ToolGrammar, type Call } from "../tool/grammar";
import { distractorTools, readToolOptions, toolFields } from "../tool/options";
import { sharedTokens, toolGame, type Effect, type ToolState } from "../tool/toolGame";
import { databaseDiff, sameChanges } from "./diff";
import {
  API_CHAIN_LEVELS,
  apiChainTasks,
  APPS,
  expectApiChainTasks,
  PEOPLE,
  type ApiChainTask,
  type App,
  type Person,
} from "./tasks";
import { world } from "../world";

const schema = group({
  ...toolFields(API_CHAIN_LEVELS.length),
  tasks: data<readonly ApiChainTask[]>([], "a list of tasks", Array.isArray, {
    help: "The tasks to draw from; empty for generated ones.",
  }),
});

export type ApiChainOptions = Static<typeof schema>;

/** Data that the apps store; the verifier compares it with the expected data. */
interface Database {
  readonly pay: { readonly balance: number; readonly transfers: readonly Transfer[] };
  readonly phone: { readonly blocked: readonly Person[] };
}

interface Transfer {
  readonly to: number;
  readonly amount: number;
}

interface Apps {
  readonly task: number;
  readonly database: Database;
  readonly loggedIn: readonly App[];
  /** Look-ups that succeeded, of those that the task needs. */
  readonly lookedUp: readonly string[];
}

export const apiChainWorld = world({
  id: "ApiChain-v0",
  about: "A payment through apps with logins, checked by what changed in their database.",
  skill: "tool chains: calls that need the results of earlier calls, verified by the state they leave",
  levels: API_CHAIN_LEVELS.length,
  options: schema,
  cheapToEnumerate: false,
  small: { taskCount: 4, turnLimit: 2, reward: "checklist" },
  policy: { syntaxPrior: 3 },
  variants: [{ name: "ApiChain-v0 with a checklist", options: { reward: "checklist" } }],
  make: (options) => apiChain(options),
});

/**
 * ApiChain-v0: calls that need what earlier calls returned.
 *
 * The task: pay a person what is owed. The question tells everything but the password at level 1, not the account either at
 * level 2, and nothing at level 3, where the phone has a password of its own.
 *
 * The verifier knows nothing of the calls. It compares the database with the one that the task started from, so that a second
 * transfer or a blocked contact costs everything:
 *
 * ```
 * score = 1 if diff(database before, after) = { balance - amount, one transfer of that amount to that account }, else 0
 * ```
 *
 * The optimum is 1, in 4, 5 and 8 calls at levels 1, 2 and 3.
 *
 * - **Action space:** a turn is one call, closed by END: `VAULT app` shows a password, `LOGIN app password` opens a session,
 *   `CONTACT person` shows an account, `DEBT person` an amount, `SEND account amount` moves money, `BLOCK person` does damage,
 *   `SUBMIT` hands in.
 * - **Observation:** the question; what the call returned; an error after a malformed or refused call, which uses up a turn.
 * - **Reward:** the score, in the last turn; every turn costs `turnCost`. `reward` chooses another payment.
 * - **Start:** each task is equally likely.
 * - **End:** at SUBMIT, or at the turn limit.
 *
 * @see AWM, arXiv 2602.10090: the state is a database, and the verifier looks at its diff
 * @see AppWorld, arXiv 2407.18901, for apps with logins and for counting collateral damage (9 apps, 457 APIs, 750 tasks there)
 */
export function apiChain(options: Partial<ApiChainOptions> = {}): GameEnv<ToolState<Apps>> {
  const { id, skill } = apiChainWorld;
  const o = readToolOptions(id, schema, options);
  expectApiChainTasks(id, o.tasks);
  const tasks = o.tasks.length > 0 ? o.tasks : apiChainTasks(o.level, o.taskCount);
  const levelOf = (task: ApiChainTask): (typeof API_CHAIN_LEVELS)[number] =>
    API_CHAIN_LEVELS[task.level - 1]!;
  const longest = Math.max(...tasks.map((task) => levelOf(task).shortest));
  const numbers = Array.from({ length: Math.max(...tasks.map((task) => task.numbers)) }, (_, i) =>
    String(i + 1),
  );
  const app = { name: "app", values: APPS };
  const person = { name: "person", values: PEOPLE };
  const login = tasks.some((task) => levelOf(task).phoneNeedsLogin)
    ? ", once you are logged in to phone"
    : "";
  const number = (name: string): { name: string; values: readonly string[] } => ({ name, values: numbers });
  const grammar = new ToolGrammar([
    { name: "VAULT", about: "Shows the password of an app.", parameters: [app] },
    { name: "LOGIN", about: "Logs in to an app with its password.", parameters: [app, number("password")] },
    { name: "CONTACT", about: `Shows the account of a person${login}.`, parameters: [person] },
    { name: "DEBT", about: "Shows the amount that is owed to a person.", parameters: [person] },
    {
      name: "SEND",
      about: "Pays an amount to an account, once you are logged in to pay; it cannot be undone.",
      parameters: [number("account"), number("amount")],
    },
    { name: "BLOCK", about: `Blocks a person for good${login}.`, parameters: [person] },
    { name: "SUBMIT", about: "Hands the work in, which ends the episode.", parameters: [] },
    ...distractorTools(o.distractors),
  ]);
  const { vocabulary } = grammar;
  const observationVocabulary = ["question", "password", "account", "amount"];
  const observed = (word: string): number => vocabulary.length + observationVocabulary.indexOf(word);
  const shared = sharedTokens(vocabulary, observationVocabulary);

  const show = (word: "password" | "account" | "amount", value: number): Observation => ({
    tokens: [observed(word), grammar.token(String(value))],
    text: `result: ${word} ${value}`,
  });
  const question = (task: ApiChainTask): Observation => {
    const { hidesAccount, hidesDebt } = levelOf(task);
    const [account, amount] = [task.accounts[task.person], task.debts[task.person]];
    const known = [
      ...(hidesAccount ? [] : [show("account", account)]),
      ...(hidesDebt ? [] : [show("amount", amount)]),
    ];
    return {
      tokens: [observed("question"), grammar.token(task.person), ...known.flatMap(({ tokens }) => tokens)],
      text: [`question: pay ${task.person}`, ...known.map(({ text }) => text.slice("result: ".length))].join(
        ", ",
      ),
    };
  };

  const call = (before: Apps, { tool, values: [first, second] }: Call): readonly Effect<Apps>[] => {
    const task = tasks[before.task]!;
    const refuse = (text: string): Effect<Apps>[] => [
      { state: before, observation: { tokens: [shared.error], text: `error: ${text}` }, refused: true },
    ];
    const change = (database: Database): Effect<Apps>[] => [
      { state: { ...before, database }, observation: { tokens: [shared.ok], text: "ok" } },
    ];
    const look = (what: string, observation: Observation): Effect<Apps>[] => {
      const news = neededLookUps(task).includes(what) && !before.lookedUp.includes(what);
      const lookedUp = news ? [...before.lookedUp, what].sort() : before.lookedUp;
      return [{ state: { ...before, lookedUp }, observation }];
    };
    const { pay, phone } = before.database;
    const phoneIsShut = levelOf(task).phoneNeedsLogin && !before.loggedIn.includes("phone");
    switch (tool) {
      case "VAULT":
        return look(`VAULT ${first!}`, show("password", task.passwords[first as App]));
      case "LOGIN": {
        if (Number(second) !== task.passwords[first as App]) return refuse("wrong password");
        const loggedIn = [...new Set([...before.loggedIn, first as App])].sort();
        return [{ state: { ...before, loggedIn }, observation: { tokens: [shared.ok], text: "ok" } }];
      }
      case "CONTACT":
        if (phoneIsShut) return refuse("not logged in to phone");
        return look(`CONTACT ${first!}`, show("account", task.accounts[first as Person]));
      case "DEBT":
        return look(`DEBT ${first!}`, show("amount", task.debts[first as Person]));
      case "SEND": {
        if (!before.loggedIn.includes("pay")) return refuse("not logged in to pay");
        const amount = Number(second);
        if (amount > pay.balance) return refuse("the balance is too low");
        return change(transferred(before.database, { to: Number(first), amount }));
      }
      case "BLOCK":
        if (phoneIsShut) return refuse("not logged in to phone");
        if (phone.blocked.includes(first as Person)) return refuse(`${first!} is blocked already`);
        return change({ ...before.database, phone: { blocked: [...phone.blocked, first as Person].sort() } });
      default:
        return [
          {
            state: before,
            observation: { tokens: [shared.ok], text: "handed in" },
            score: isDone(task, before.database) ? 1 : 0,
          },
        ];
    }
  };

  return new GameEnv(
    toolGame<Apps>({
      id,
      skill,
      vocabulary,
      observationVocabulary,
      options: o,
      turnLimit: o.turnLimit || longest + 2,
      longestCall: grammar.longest,
      forms: grammar.forms,
      tools: grammar.tools,
      tasks: tasks.map((task, i) => ({
        id: task.id,
        level: task.level,
        state: { task: i, database: databaseAtStart(task), loggedIn: [], lookedUp: [] },
        observation: question(task),
      })),
      milestones: API_CHAIN_MILESTONES,
      parse: (action) => grammar.parse(action),
      call,
      holding: ({ task: i, database, loggedIn, lookedUp }, score) => [
        ...(lookedUp.length === neededLookUps(tasks[i]!).length ? ["informed"] : []),
        ...(loggedIn.includes("pay") ? ["loggedIn"] : []),
        ...(isDone(tasks[i]!, database) ? ["paid"] : []),
        ...(score === 1 ? ["submitted"] : []),
      ],
      isLost: ({ task: i, database }) => isSpoilt(tasks[i]!, database),
      render({ task: i, database, loggedIn }) {
        const { person: who, accounts, debts } = tasks[i]!;
        const diff = databaseDiff(databaseAtStart(tasks[i]!), database);
        return [
          `hidden: pay ${who} ${debts[who]} to account ${accounts[who]}; logged in: ${loggedIn.join(" ") || "nowhere"}`,
          ...diff.map(
            ({ path, before, after }) => `changed: ${path} ${leafText(before)} -> ${leafText(after)}`,
          ),
        ].join("\n");
      },
    }),
  );
}

export const API_CHAIN_MILESTONES = [
  { id: "informed", weight: 0.25 },
  { id: "loggedIn", weight: 0.25 },
  { id: "paid", weight: 0.25, dependsOn: ["loggedIn"] },
  { id: "submitted", weight: 0.25, dependsOn: ["paid"] },
];

function leafText(value: unknown): string {
  return value === undefined ? "absent" : String(value);
}

/** Money for the largest debt, and not for two. */
function databaseAtStart({ numbers }: ApiChainTask): Database {
  return { pay: { balance: numbers, transfers: [] }, phone: { blocked: [] } };
}

function transferred(database: Database, transfer: Transfer): Database {
  const { balance, transfers } = database.pay;
  return { ...database, pay: { balance: balance - transfer.amount, transfers: [...transfers, transfer] } };
}

function isDone(task: ApiChainTask, database: Database): boolean {
  // Most databases need no diff to be refused.
  if (database.pay.transfers.length !== 1) return false;
  const before = databaseAtStart(task);
  const wanted = transferred(before, { to: task.accounts[task.person], amount: task.debts[task.person] });
  return sameChanges(databaseDiff(before, database), databaseDiff(before, wanted));
}

/** Nothing that was done can be undone. */
function isSpoilt(task: ApiChainTask, { pay, phone }: Database): boolean {
  const { transfers } = pay;
  const wrong = transfers.some(
    ({ to, amount }) => to !== task.accounts[task.person] || amount !== task.debts[task.person],
  );
  return wrong || transfers.length > 1 || phone.blocked.length > 0;
}

function neededLookUps({ level, person }: ApiChainTask): string[] {
  const { hidesAccount, hidesDebt, phoneNeedsLogin } = API_CHAIN_LEVELS[level - 1]!;
  return [
    "VAULT pay",
    ...(hidesAccount ? [`CONTACT ${person}`] : []),
    ...(hidesDebt ? [`DEBT ${person}`] : []),
    ...(phoneNeedsLogin ? ["VAULT phone"] : []),
  ];
}
