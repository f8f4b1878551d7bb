import type { Decision } from "turnwise/internal/play/film";
import type { Name, Value } from "./catalog";
import type { Run } from "./runs";

/** A training that the page asks for. */
export interface Task {
  readonly key: string;
  readonly world: string;
  readonly updates: number;
  readonly run: Run;
}

/** Place of a rule among the known ones. */
export interface Closest {
  readonly name: string;
  readonly title: string;
  /** The differences: each field's setting, and the value of the known rule. */
  readonly differences: readonly { readonly field: string; readonly theirs: string }[];
}

/** One update of a run, in numbers; `exact` is known every few updates, and only in small worlds. */
export interface Point {
  readonly update: number;
  readonly exact?: number;
  readonly reward: number;
  readonly entropy: number;
  readonly silent: number;
  readonly ratio?: number;
}

/** An episode as it was played. */
export interface Episode {
  readonly lines: readonly { readonly isAgent: boolean; readonly text: string; readonly isMap: boolean }[];
  readonly reward: number;
}

/** A word of a trajectory, seen from inside an update. */
export interface Token {
  readonly word: string;
  readonly advantage: number;
  readonly ratio: number;
  /** The bound of the gate that stops it; none for most. */
  readonly isStopped: boolean;
}

/** One update from the inside. */
export interface Shot {
  readonly update: number;
  readonly steps: number;
  readonly reward: number;
  readonly gate: string;
  readonly trajectories: readonly {
    readonly reward: number;
    readonly turns: readonly {
      readonly observation: string;
      readonly isMap: boolean;
      readonly tokens: readonly Token[];
    }[];
  }[];
  readonly decision: Decision | undefined;
  readonly exact: { readonly before: number; readonly after: number } | undefined;
}

export type ToWorker =
  | { readonly kind: "tasks"; readonly tasks: readonly Task[]; readonly isRunning: boolean }
  | { readonly kind: "film"; readonly task: Task; readonly update: number }
  | { readonly kind: "fits"; readonly task: Task; readonly name: Name; readonly values: readonly Value[] };

export type FromWorker =
  | {
      readonly kind: "opened";
      readonly key: string;
      readonly optimum: number | undefined;
      /** Exact return before the first update. */
      readonly start: number | undefined;
      readonly closest: Closest | undefined;
      /** Why the settings were refused; empty if they fit. */
      readonly problem: string;
    }
  | {
      readonly kind: "points";
      readonly key: string;
      readonly points: readonly Point[];
      readonly episodes: readonly Episode[];
      readonly isDone: boolean;
      /** Checksum of every exact bit of the run, once it is done. */
      readonly digest: string;
      readonly problem: string;
    }
  | {
      readonly kind: "film";
      readonly key: string;
      readonly update: number;
      readonly shot: Shot | undefined;
      readonly problem: string;
    }
  | {
      readonly kind: "fits";
      readonly key: string;
      readonly name: Name;
      /** Of each value, why it does not fit; empty if it does. */
      readonly reasons: Readonly<Record<string, string>>;
    };
