import type { WatchedRun } from "turnwise/internal/monitor/index";

/** One small language model: what it imitates, and what it is trained with. */
export interface LanguageJob {
  readonly world: "calculator" | "searchQa";
  /** Of the demonstrator. */
  readonly skill: number;
  readonly rule: "grpo" | "seeUpo";
  /** Twelve times as many steps on each batch, twice as long ones. Default false. */
  readonly reuse?: boolean;
  /** Significant bits of the sampler's weights; 0, the default, is all of them. */
  readonly bits?: number;
  /** Default 300, and 400 with reuse. */
  readonly updates?: number;
  readonly seed: number;
}

/** Result. */
export interface LanguageResult extends WatchedRun {
  /** Share of well-formed turns and success after the imitation. */
  readonly wellFormed: number;
  readonly start: number;
  /** Success at the end, over 400 episodes. */
  readonly final: number;
  /** The best mean success of ten updates. */
  readonly best: number;
  /** Nats per token, and tokens of an episode, in the first and the last ten updates. */
  readonly entropy: readonly [first: number, last: number];
  readonly tokens: readonly [first: number, last: number];
}
