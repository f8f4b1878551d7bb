import { createRng, type Rng } from "../../base/rng";

export const PEOPLE = ["ann", "bob"] as const;
export const APPS = ["pay", "phone"] as const;
export type Person = (typeof PEOPLE)[number];
export type App = (typeof APPS)[number];

/** Pay `person` what is owed. All numbers are from 1 to `numbers`. */
export interface ApiChainTask {
  readonly id: string;
  readonly level: number;
  readonly numbers: number;
  readonly person: Person;
  readonly passwords: Readonly<Record<App, number>>;
  readonly accounts: Readonly<Record<Person, number>>;
  readonly debts: Readonly<Record<Person, number>>;
}

/** Facts that a level hides from the question, and the length of its shortest solution. */
export interface Level {
  readonly numbers: number;
  readonly hidesAccount: boolean;
  readonly hidesDebt: boolean;
  readonly phoneNeedsLogin: boolean;
  readonly shortest: number;
}

export const API_CHAIN_LEVELS: readonly Level[] = [
  // VAULT pay, LOGIN pay, SEND, SUBMIT
  { numbers: 4, hidesAccount: false, hidesDebt: false, phoneNeedsLogin: false, shortest: 4 },
  // and CONTACT
  { numbers: 4, hidesAccount: true, hidesDebt: false, phoneNeedsLogin: false, shortest: 5 },
  // and DEBT, VAULT phone, LOGIN phone
  { numbers: 4, hidesAccount: true, hidesDebt: true, phoneNeedsLogin: true, shortest: 8 },
];

/**
 * Distinct tasks of a level. The same seed gives the same tasks.
 *
 * At levels 1 and 2 tasks come in blocks of one question with every password, and every account where it is hidden, once
 * each: no question gives away what it hides, and no hidden number gives away another.
 */
export function apiChainTasks(level: number, count: number, seed = 0): ApiChainTask[] {
  const rng = createRng(seed).split("apiChain", level);
  const seen = new Set<string>();
  const tasks: ApiChainTask[] = [];
  for (let draw = 0; tasks.length < count && draw < 100 * count; draw++) {
    for (const task of rng.shuffle(drawBlock(level, rng))) {
      const key = JSON.stringify(task);
      if (seen.has(key)) continue;
      seen.add(key);
      tasks.push({ id: `apiChain-${level}-${tasks.length}`, ...task });
    }
  }
  return tasks.slice(0, count);
}

type Drawn = Omit<ApiChainTask, "id">;

function drawBlock(level: number, rng: Rng): Drawn[] {
  const { numbers, hidesAccount, hidesDebt } = API_CHAIN_LEVELS[level - 1]!;
  const task = drawTask(level, rng);
  if (hidesDebt) return [task];
  const all = Array.from({ length: numbers }, (_, i) => i + 1);
  const other = PEOPLE.find((who) => who !== task.person)!;
  const accounts = hidesAccount ? all : [task.accounts[task.person]];
  return accounts.flatMap((account) => {
    const taken = task.accounts[other];
    const free = taken === account ? 1 + (account % numbers) : taken;
    const both = { ...task.accounts, [task.person]: account, [other]: free };
    return all.map((pay): Drawn => ({ ...task, accounts: both, passwords: { ...task.passwords, pay } }));
  });
}

function drawTask(level: number, rng: Rng): Drawn {
  const { numbers } = API_CHAIN_LEVELS[level - 1]!;
  const number = (): number => 1 + rng.below(numbers);
  const [ann, bob] = rng.shuffle(Array.from({ length: numbers }, (_, i) => i + 1));
  return {
    level,
    numbers,
    person: PEOPLE[rng.below(PEOPLE.length)]!,
    passwords: { pay: number(), phone: number() },
    accounts: { ann: ann!, bob: bob! },
    debts: { ann: number(), bob: number() },
  };
}

/** @throws {RangeError} if a task has an unknown level or person, or a number out of range */
export function expectApiChainTasks(id: string, tasks: readonly ApiChainTask[]): void {
  for (const { id: task, level, numbers, person, passwords, accounts, debts } of tasks) {
    const all = [passwords.pay, passwords.phone, ...PEOPLE.flatMap((who) => [accounts[who], debts[who]])];
    const good =
      API_CHAIN_LEVELS[level - 1] !== undefined &&
      PEOPLE.includes(person) &&
      all.every((number) => Number.isInteger(number) && number >= 1 && number <= numbers);
    if (good) continue;
    throw new RangeError(
      `Cannot make ${id}: a task must name a level, a person of ${PEOPLE.join(", ")} and numbers from 1 to ${numbers}, ` +
        `but "${task}" has level ${level}, ${person}, ${all.join(" ")}.`,
    );
  }
}
