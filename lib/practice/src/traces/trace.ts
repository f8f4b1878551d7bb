import type { Info } from "turnwise/internal/env/env";

/** A turn as somebody's trainer stored it. */
export interface StoredTurn {
  /** Observation of the agent since its last turn. */
  readonly observation: string;
  /** Numbers of the tokens, or pieces of text. */
  readonly tokens: readonly (number | string)[];
  /** Log-probs of the tokens under the policy that the trainer starts from; nats. */
  readonly logProb?: readonly number[];
  /** Log-probs from the engine that sampled them. */
  readonly rolloutLogProb?: readonly number[];
  /** Advantages that the framework itself gave the tokens. */
  readonly advantage?: readonly number[];
  readonly info?: Info;
}

/** A trajectory as somebody's trainer stored it. */
export interface StoredTrajectory {
  readonly id: string;
  /** Trajectories of one group began with the same task. */
  readonly group: string;
  readonly turns: readonly StoredTurn[];
  /** Of the whole trajectory; it counts for its last turn. */
  readonly reward: number;
  readonly truncated: boolean;
  /** All else that was stored, under its own names. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** Text in pieces of a word and what stands before it: a stand-in for tokens where only text was stored. */
export const wordsOf = (text: string): string[] => text.match(/\s*\S+/g) ?? [];

/** Text of a turn, if its tokens are pieces of text; undefined if they are numbers. */
export const textOfTokens = ({ tokens }: StoredTurn): string | undefined =>
  tokens.every((token) => typeof token === "string") ? tokens.join("") : undefined;
