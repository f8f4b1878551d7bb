import { exp } from "../../base/elementary/exp";
import { logSoftmax } from "../../policy/softmax";

/** A token of a turn: drawn by the policy in a state, or forced by the world, which masks it. */
export type Cell = { readonly state: number; readonly action: number } | { readonly forced: number };

export interface PlayedTurn {
  readonly observation: string;
  readonly cells: readonly Cell[];
  readonly reward: number;
}

/** One trajectory, and the probability of what chance did in it. */
export interface Line {
  readonly turns: readonly PlayedTurn[];
  readonly chance: number;
}

/** Actions passed to a game; each call returns what happened. */
export interface Play {
  /** Begins a turn with what the policy sees. */
  turn(observation: string): void;
  /** A token of the policy: one row of logits for each name of a state. */
  choose(state: string, actions: readonly string[]): string;
  /** A token of the world, such as a tool's answer. */
  force(token: string): void;
  /** Chance event, unseen unless the game reports it. */
  chance<X>(outcomes: readonly (readonly [outcome: X, probability: number])[]): X;
  reward(amount: number): void;
}

export interface State {
  readonly name: string;
  readonly actions: readonly string[];
  /** Index of its first logit among the parameters. */
  readonly from: number;
}

/** A task: what the trajectories of a group share. */
export interface Task {
  readonly id: string;
  readonly probability: number;
  /** Every trajectory that can occur. */
  readonly lines: readonly Line[];
}

/** A game of tokens, listed to the end: turns of different lengths, forced tokens, and one softmax row for each state. */
export interface TokenGame {
  readonly name: string;
  /** T and L of its batches. */
  readonly turns: number;
  readonly tokens: number;
  readonly vocabulary: readonly string[];
  readonly states: readonly State[];
  /** Number of logits. */
  readonly width: number;
  readonly tasks: readonly Task[];
}

/** The game that `play` tells, listed by telling it once for every sequence of choices. Tasks are equally likely. */
export function tokenGame(
  name: string,
  tasks: readonly string[],
  play: (game: Play, task: string) => void,
): TokenGame {
  const vocabulary: string[] = [];
  const states: State[] = [];
  const listed = tasks.map((id): Task => {
    const lines: Line[] = [];
    const open: number[][] = [[]];
    for (let script = open.pop(); script !== undefined; script = open.pop()) {
      const telling = new Telling(script, vocabulary, states);
      play(telling, id);
      lines.push(telling.line());
      for (let i = telling.path.length - 1; i >= script.length; i--) {
        const head = telling.path.slice(0, i);
        for (let k = telling.options[i]! - 1; k >= 1; k--) open.push([...head, k]);
      }
    }
    return { id, probability: 1 / tasks.length, lines };
  });
  const turns = listed.flatMap(({ lines }) => lines.map((line) => line.turns));
  const last = states.at(-1)!;
  return {
    name,
    turns: Math.max(...turns.map((line) => line.length)),
    tokens: Math.max(...turns.flatMap((line) => line.map(({ cells }) => cells.length))),
    vocabulary,
    states,
    width: last.from + last.actions.length,
    tasks: listed,
  };
}

/** One telling: follows the script, and takes the first option wherever the script ends. */
class Telling implements Play {
  readonly path: number[] = [];
  readonly options: number[] = [];
  readonly #turns: { observation: string; cells: Cell[]; reward: number }[] = [];
  #chance = 1;

  constructor(
    private readonly script: readonly number[],
    private readonly vocabulary: string[],
    private readonly states: State[],
  ) {}

  turn(observation: string): void {
    this.#turns.push({ observation, cells: [], reward: 0 });
  }

  choose(state: string, actions: readonly string[]): string {
    const action = this.#next(actions.length);
    this.#turns.at(-1)!.cells.push({ state: this.#stateOf(state, actions), action });
    return actions[action]!;
  }

  force(token: string): void {
    this.#turns.at(-1)!.cells.push({ forced: this.#word(token) });
  }

  chance<X>(outcomes: readonly (readonly [outcome: X, probability: number])[]): X {
    const [outcome, probability] = outcomes[this.#next(outcomes.length)]!;
    this.#chance *= probability;
    return outcome;
  }

  reward(amount: number): void {
    this.#turns.at(-1)!.reward += amount;
  }

  line(): Line {
    return { turns: this.#turns, chance: this.#chance };
  }

  #next(count: number): number {
    const k = this.script[this.path.length] ?? 0;
    this.path.push(k);
    this.options.push(count);
    return k;
  }

  #stateOf(name: string, actions: readonly string[]): number {
    const known = this.states.findIndex((state) => state.name === name);
    if (known >= 0) return known;
    const last = this.states.at(-1);
    actions.forEach((action) => this.#word(action));
    this.states.push({ name, actions, from: last === undefined ? 0 : last.from + last.actions.length });
    return this.states.length - 1;
  }

  #word(token: string): number {
    const known = this.vocabulary.indexOf(token);
    return known >= 0 ? known : this.vocabulary.push(token) - 1;
  }
}

/** A softmax policy of a game: one row of logits for each state. */
export interface TokenPolicy {
  readonly logits: Float64Array;
  /** Of every action, in the places of its logits. */
  readonly logProb: Float64Array;
  /** Of every state, nats. */
  readonly entropy: Float64Array;
}

export function tokenPolicy(game: TokenGame, logits: Float64Array): TokenPolicy {
  const logProb = new Float64Array(game.width);
  const entropy = Float64Array.from(game.states, ({ from, actions }) =>
    logSoftmax(logits, from, actions.length, 1, logProb, from),
  );
  return { logits, logProb, entropy };
}

/** Probability of each trajectory of a task. */
export function probabilityOfLines(game: TokenGame, task: Task, { logProb }: TokenPolicy): number[] {
  return task.lines.map(({ turns, chance }) => {
    let sum = 0;
    for (const { cells } of turns) {
      for (const cell of cells)
        if ("state" in cell) sum += logProb[game.states[cell.state]!.from + cell.action]!;
    }
    return chance * exp(sum);
  });
}

export const returnOf = (line: Line): number => line.turns.reduce((sum, { reward }) => sum + reward, 0);
