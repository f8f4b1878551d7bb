import { quoted } from "../../schema";
import { show } from "../../base/show";
import type {
  Action,
  Env,
  EnvSpec,
  Info,
  Observation,
  Outcome,
  ResetOptions,
  StepResult,
} from "../../env/env";
import { GameEnv, type Game } from "../../env/game";
import { Wrapper } from "../../env/wrapper";
import type { HistoryState } from "./historyModel";

/** Memories of a count model: full histories, or the turn and the last observation. */
const modelMemories = Object.freeze(["history", "turnObservation"] as const);

/** Options of a count model. */
export interface CountModelOptions {
  /** Default `history`. */
  readonly memory?: (typeof modelMemories)[number];
  /** The reward with which an episode ends where nothing was ever counted. Default 0. */
  readonly unseen?: number;
}

/** Number of times each reply was seen; by request, then by reply. */
type Counts = Map<string, Map<string, number>>;

/** A reply as it is counted. */
interface Counted {
  readonly observation: Observation;
  readonly reward: number;
  readonly terminated: boolean;
  readonly info: Info;
}

/** The counts of a model as plain JSON data. */
export interface CountModelState {
  readonly format: "turnwise-count-model";
  readonly steps: number;
  readonly starts: readonly (readonly [string, number])[];
  readonly replies: readonly (readonly [string, readonly (readonly [string, number])[]])[];
}

/**
 * A world model that counts: the empirical distribution of replies after each history and action.
 *
 * ```
 * P(o', r, end | h, a) = n(h, a, o', r, end) / n(h, a)
 * ```
 * `watch` gives an environment whose episodes are counted while somebody plays them, and `env` the world as counted so far.
 * Where nothing was counted, an episode of the model ends with the reward `unseen`.
 *
 * @throws {RangeError} if the memory is unknown or `unseen` is not finite
 * @example
 * import { collect, createPolicy, createRng, make } from "turnwise";
 * import { CountModel } from "turnwise/search";
 * const world = make("LookUp-v0");
 * const model = new CountModel(world.spec);
 * collect(model.watch(world), createPolicy(world.spec), { groups: 8, groupSize: 8, rng: createRng(0) });
 * model.steps > 64; // => true
 * collect(model.env(), createPolicy(world.spec), { groups: 1, groupSize: 4, rng: createRng(1) }).shape; // => [4, 2, 2]
 */
export class CountModel {
  readonly #spec: EnvSpec;
  readonly #memory: NonNullable<CountModelOptions["memory"]>;
  readonly #unseen: number;
  #starts = new Map<string, number>();
  #replies: Counts = new Map();
  #steps = 0;

  constructor(spec: EnvSpec, { memory = "history", unseen = 0 }: CountModelOptions = {}) {
    if (!modelMemories.includes(memory)) {
      throw new RangeError(`Cannot count: memory must be ${quoted(modelMemories)}, got ${show(memory)}.`);
    }
    if (!Number.isFinite(unseen)) {
      throw new RangeError(`Cannot count: unseen must be finite, got ${show(unseen)}.`);
    }
    this.#spec = spec;
    this.#memory = memory;
    this.#unseen = unseen;
  }

  /** Number of counted steps of the world. */
  get steps(): number {
    return this.#steps;
  }

  /** Number of pairs of history and action that were met. */
  get pairs(): number {
    return this.#replies.size;
  }

  /** The same world; every step that is taken in it or in a fork of it is counted here. */
  watch(env: Env): Env {
    return new Watched(env, this);
  }

  /** Memory of a first observation. */
  first(observation: Observation): string {
    return this.#memory === "history" ? seen(observation) : `0/${seen(observation)}`;
  }

  /** Memory of a history after one more turn. */
  after(before: string, turn: number, action: Action, observation: Observation, reward: number): string {
    return this.#memory === "history"
      ? `${asked(before, action)}${reward}|${seen(observation)}`
      : `${turn + 1}/${seen(observation)}`;
  }

  /** Counts the beginning of an episode. */
  countStart(observation: Observation): void {
    add(this.#starts, JSON.stringify(observation));
  }

  /** Counts a step of the world: what was asked after a history, and what came back. */
  countReply(before: string, action: Action, reply: Counted): void {
    const key = asked(before, action);
    let replies = this.#replies.get(key);
    if (!replies) this.#replies.set(key, (replies = new Map()));
    add(replies, JSON.stringify(reply));
    this.#steps++;
  }

  /**
   * The world as counted so far; what is counted later does not change it.
   *
   * @throws {RangeError} if no episode was counted
   */
  env(): GameEnv<ModelState> {
    if (this.#starts.size === 0) {
      throw new RangeError(`Cannot model ${this.#spec.id}: no episode has been counted.`);
    }
    return new GameEnv(this.#game());
  }

  #game(): Game<ModelState> {
    const replies = new Map([...this.#replies].map(([key, counts]) => [key, new Map(counts)]));
    const start = shares(this.#starts).map(([text, probability]) => {
      const observation = JSON.parse(text) as Observation;
      const state = { history: this.first(observation), turn: 0 };
      return { probability, state, observation, reward: 0, terminated: false, taskId: observation.text };
    });
    const made = new Map<string, readonly Outcome<ModelState>[]>();
    const lost = (turn: number): readonly Outcome<ModelState>[] => [
      {
        probability: 1,
        state: { history: "", turn: turn + 1 },
        observation: { tokens: [], text: "nothing is known of this" },
        reward: this.#unseen,
        terminated: true,
        info: {},
      },
    ];
    // What was counted tells no calls from other turns.
    const { tools: _tools, ...spec } = this.#spec;
    return {
      spec,
      start: () => start,
      transition: ({ history, turn }, action) => {
        const key = asked(history, action);
        let outcomes = made.get(key);
        if (outcomes) return outcomes;
        const counts = replies.get(key);
        outcomes = counts
          ? shares(counts).map(([text, probability]) => {
              const reply = JSON.parse(text) as Counted;
              const { observation, reward } = reply;
              const next = this.after(history, turn, action, observation, reward);
              return { probability, ...reply, state: { history: next, turn: turn + 1 } };
            })
          : lost(turn);
        made.set(key, outcomes);
        return outcomes;
      },
      render: ({ history }) => history,
    };
  }

  /** Everything that was counted, as plain JSON data. */
  state(): CountModelState {
    return {
      format: "turnwise-count-model",
      steps: this.#steps,
      starts: [...this.#starts],
      replies: [...this.#replies].map(([key, counts]) => [key, [...counts]]),
    };
  }

  /** @throws {TypeError} if it is not the state of a count model */
  restore(state: CountModelState): void {
    if ((state as Partial<CountModelState> | undefined)?.format !== "turnwise-count-model") {
      throw new TypeError(
        `Cannot restore counts: the state must be that of a count model, got ${show(state)}.`,
      );
    }
    this.#steps = state.steps;
    this.#starts = new Map(state.starts);
    this.#replies = new Map(state.replies.map(([key, counts]) => [key, new Map(counts)]));
  }
}

/** A state of a count model. */
export interface ModelState extends HistoryState {
  readonly turn: number;
}

class Watched extends Wrapper {
  #before = "";
  #turn = 0;

  constructor(
    inner: Env,
    readonly model: CountModel,
  ) {
    super(inner);
  }

  protected override rewrap(inner: Env): Env {
    return new Watched(inner, this.model);
  }

  /** A branch counts what it plays itself; the steps before it were counted once. */
  protected override rewrapRunning(inner: Env): Env {
    const copy = new Watched(inner, this.model);
    copy.#before = this.#before;
    copy.#turn = this.#turn;
    return copy;
  }

  override reset(options?: ResetOptions): [Observation, Info] {
    const result = this.inner.reset(options);
    this.#before = this.model.first(result[0]);
    this.#turn = 0;
    this.model.countStart(result[0]);
    return result;
  }

  override step(action: Action): StepResult {
    const result = this.inner.step(action);
    const [observation, reward, terminated, truncated, info] = result;
    this.model.countReply(this.#before, action, {
      observation,
      reward,
      terminated: terminated || truncated,
      info,
    });
    this.#before = this.model.after(this.#before, this.#turn++, action, observation, reward);
    return result;
  }
}

function seen({ tokens }: Observation): string {
  return tokens.join();
}

function asked(history: string, action: Action): string {
  return `${history}>${action.join()};`;
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** In an order of their own, so that a model does not depend on which episode was counted first. */
function shares(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, n]) => [key, n / total]);
}
