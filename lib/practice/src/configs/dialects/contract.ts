import type { FlagValue, FlagValues } from "../given";

/** A trainer whose settings another one's reader can read: it has their meaning, and other names or defaults. */
export interface Dialect {
  /** As it is written in sentences. */
  readonly title: string;
  /** The release, or the commit, whose defaults are assumed. */
  readonly version: string;
  /** The trainer whose reader reads it. */
  readonly base: "trl" | "verl";
  /** Its names, each with the base's. Undefined where it has the base's own names. */
  readonly names?: Readonly<Record<string, string>>;
  /** Names that its configurations alone have. */
  readonly tells?: RegExp;
  /** Words of a command, or packages that a program imports, that it is run by. */
  readonly mentions?: RegExp;
  /** Defaults that are not those of the base, by the base's names. */
  readonly defaults?: Readonly<Record<string, FlagValue>>;
  /** Whether its names are typed as `--eps-clip 0.2`. Default: as its base's. */
  readonly isTyped?: true;
  /** Whether its minibatches count rollouts. Default: they count tasks, as its base's do. */
  readonly countsRollouts?: true;
  /** Its values of a setting, by its own names, where they are not those of the base. */
  readonly written?: Readonly<Record<string, (value: FlagValue) => FlagValue>>;
  /** Settings of the base that follow from several of its own, by the base's names. */
  readonly derived?: (flags: FlagValues) => Readonly<Record<string, FlagValue>>;
}
