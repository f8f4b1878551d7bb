import type { Rng } from "../base/rng";
import type { Tiles } from "./grid/drawGrid";

/** A space of observations or actions: what is allowed, and how to draw from it. */
export interface Space<X> {
  contains(x: unknown): x is X;
  sample(rng: Rng): X;
  /** One line for people, such as `TokenSequence(vocabulary=6, maxLength=2)`. */
  toString(): string;
}

/** Observation that an agent gets before a turn: tokens that enter its context with mask 0, and a text for people. */
export interface Observation {
  readonly tokens: readonly number[];
  readonly text: string;
  /** Agent that takes the next turn, one of `spec.agents`; only in a world of several agents. */
  readonly agent?: string;
}

/** An action is a turn: a short sequence of tokens that the environment parses. */
export type Action = readonly number[];

export type Info = Readonly<Record<string, unknown>>;

/** Info that `step` reports about a turn, where it applies; metrics are computed from it. */
export interface TurnInfo extends Info {
  /** A tool call, an answer that ends the episode, a move in a world, or something that could not be parsed. */
  readonly call?: "tool" | "answer" | "move" | "malformed";
  /** Whether the task is solved, by the verifier. */
  readonly success?: boolean;
  /** The score that is meant, where the reward is only a proxy of it. */
  readonly trueScore?: number;
  /** Verdict of a verifier of single steps: true or useful, false or useless, or neither. */
  readonly verdict?: 1 | -1 | 0;
  /** The answer that the verifier wants of this episode; only in a world whose tasks have one. No policy sees it. */
  readonly gold?: GoldAnswer;
  /** Whether the turn chose a new subgoal; only in a world whose `spec.roles` hold a switch decision. */
  readonly switched?: boolean;
}

/** A turn that hands in the right answer, cut where the answer begins. */
export interface GoldAnswer {
  /** The tokens that announce it, such as ANSWER. */
  readonly before: readonly number[];
  /** The tokens of the answer itself, without the end of the turn. */
  readonly answer: readonly number[];
}

/** Role of a token in a turn: an action, a subgoal, or whether to switch to a new subgoal. */
export type TokenRole = "action" | "subgoal" | "switch";

export interface ResetOptions {
  /** Whole number >= 0; re-derives the environment's own generator. Without it the present stream goes on. */
  readonly seed?: number;
  /**
   * Episodes with the same seed and different members share the start state and differ in every later draw:
   * the members of one group. Default 0.
   */
  readonly member?: number;
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Trajectory that training passes to an environment after learning from it. */
export interface Played {
  /** Of its last turn. */
  readonly info: Info;
  readonly return: number;
  /** log pi / pi_ref of all its tokens, nats; 0 in a rule that reads no reference. */
  readonly logRatio: number;
}

/** One way to take a turn, as a language model calls it: a tool with named arguments. */
export interface ToolSpec {
  /** Name that a model calls: letters, digits, "_" and "-". */
  readonly name: string;
  /** One sentence for the model. */
  readonly about: string;
  readonly parameters: readonly ToolParameter[];
  /** The words of the turn, in order. Default: the name, and then each parameter. */
  readonly turn?: readonly TurnPart[];
}

/** An argument of a tool. */
export interface ToolParameter {
  readonly name: string;
  /** Meaning, for the model, if the name does not convey it. */
  readonly about?: string;
  /** The words of the vocabulary that it may be. */
  readonly values: readonly string[];
  /** The fewest and the most words that it takes, such as the digits of a number. Default: one word. */
  readonly words?: readonly [fewest: number, most: number];
  /** Whether a call must give it. Default true; only the last ones of a turn may be left out. */
  readonly required?: boolean;
}

/** A word of a turn, an argument, or a place that the world does not read and any word may fill. */
export type TurnPart = string | { readonly parameter: string } | { readonly filler: string };

/** Facts about an environment that do not change between episodes. */
export interface EnvSpec {
  readonly id: string;
  /** The one agentic skill that it isolates. */
  readonly skill: string;
  /** Tokens 0 .. V-1: what an agent may write. */
  readonly vocabulary: readonly string[];
  /** Tokens V, V+1, ...: what only the environment writes. */
  readonly observationVocabulary: readonly string[];
  readonly maxTurns: number;
  /** L: the most tokens a turn may hold. */
  readonly maxTokens: number;
  /** A turn ends after this token, or at maxTokens; without it every turn has maxTokens tokens. */
  readonly endToken?: number;
  /** The tokens that a well-formed call may have at each place of a turn: what a model knows once it was taught the format. */
  readonly syntax?: readonly (readonly number[])[];
  /**
   * The tools that turns call. Every turn that begins with a call of them is understood, and no other one is (`checkEnv` tries
   * it). Servers, cards and the documentation list them. Without it, what a turn may be is known by its places alone.
   */
  readonly tools?: readonly ToolSpec[];
  /** The agents that share the task; without it, one called "agent" takes every turn. Each observation names the next. */
  readonly agents?: readonly string[];
  /** Role of the token at each place of a turn, in worlds with subgoals; without it, every token is an action. */
  readonly roles?: readonly TokenRole[];
  /** Meaning of each character of observations that are maps, so that notebooks draw them. */
  readonly tiles?: Tiles;
  /** The options it was made with, defaults filled in; `make(id, options)` gives the same environment. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Gymnasium's contract in camelCase, for turns of tokens.
 *
 * `step` throws `ResetNeededError` before the first reset and after the end of an episode, and `RangeError` for an action
 * outside the action space. A call that the environment cannot parse is no error: it is an observation that starts with
 * `error: `.
 *
 * @see Gymnasium, https://gymnasium.farama.org/api/env
 */
export interface Env {
  readonly spec: EnvSpec;
  readonly observationSpace: Space<Observation>;
  readonly actionSpace: Space<Action>;
  /** Begins an episode; the same seed gives the same one. */
  reset(options?: ResetOptions): [observation: Observation, info: Info];
  /** Takes a turn of the agent. */
  step(action: Action): StepResult;
  /** The episode so far as text for people. */
  render(): string;
  /** Ends the environment; it may not be used again. */
  close(): void;
  /** A fresh independent copy, so that several episodes can run side by side; undefined if it cannot be copied. */
  fork?(): Env | undefined;
  /**
   * An independent copy in the middle of the running episode: it stands in the same hidden state, and from here on it draws
   * from a stream of its own. The same number gives the same draws; `branch` itself draws nothing and changes nothing.
   *
   * Undefined if the environment cannot be copied so.
   *
   * @throws {ResetNeededError} if no episode is running
   */
  branch?(stream: number): Env | undefined;
  /**
   * State that outlives episodes and changes with training, such as a curriculum's estimates, as plain JSON data for a
   * checkpoint.
   */
  state?(): unknown;
  /**
   * Takes back what `state` gave.
   *
   * @throws {TypeError} if it is the state of another environment
   */
  restore?(state: unknown): void;
  /** `train` calls it after every update, with the trajectories that were learned from. */
  afterUpdate?(played?: readonly Played[]): void;
}

/** Result of `step`, in Gymnasium's order. */
export type StepResult = [
  observation: Observation,
  reward: number,
  terminated: boolean,
  truncated: boolean,
  info: Info,
];

/**
 * A finite environment that can be enumerated: its hidden state is plain JSON data, and every random draw has
 * named outcomes.
 *
 * `start` and `transition` return every outcome with its probability; they must agree with `reset` and `step`
 * (`checkEnv` compares them).
 */
export interface EnumerableEnv<State = unknown> extends Env {
  /** Every start state with its probability. */
  start(): readonly Outcome<State>[];
  /** Everything that may follow an action in a state, with its probability. */
  transition(state: State, action: Action): readonly Outcome<State>[];
  /**
   * Classes of actions with the same outcomes in every state, or undefined when each action is its own class.
   * They save an enumeration from trying every spelling of one call.
   */
  actionClasses?(): readonly ActionClass[] | undefined;
  /**
   * The least and the most undiscounted return that is still possible from a state; undefined where nothing is known.
   * Enumeration stops where they settle the value, which loses nothing as long as they are true.
   */
  returnBounds?(state: State): ReturnBounds | undefined;
}

export interface ReturnBounds {
  /** -Infinity where it is not known. */
  readonly least: number;
  readonly most: number;
}

export interface ActionClass {
  readonly action: Action;
  /** Probability that the random agent, uniform over tokens, writes an action of this class. */
  readonly share: number;
}

/** One thing that may happen, with its probability. */
export interface Outcome<State> {
  readonly probability: number;
  readonly state: State;
  readonly observation: Observation;
  readonly reward: number;
  readonly terminated: boolean;
  /** Same task or start state: the group that a group-relative baseline pools over. Set by `start`. */
  readonly taskId?: string;
  /** Further info that `step` reports. */
  readonly info?: TurnInfo;
}

export function isEnumerable(env: Env): env is EnumerableEnv {
  const candidate = env as Partial<EnumerableEnv>;
  return typeof candidate.start === "function" && typeof candidate.transition === "function";
}
