/** A file that the reader has given, at its path as a folder would have it: "run/train.log". */
export interface GivenFile {
  readonly path: string;
  readonly file: Blob;
  /** Whether it is text that was pasted, so that its name says nothing of its kind. */
  readonly isPasted?: boolean;
}

/** A run to examine. */
export interface Examination {
  /** Of the answers to it. */
  readonly id: number;
  readonly files: readonly GivenFile[];
  /** The best mean reward. */
  readonly optimum?: number;
  /** Names of the log that are no framework's, each as "name=metric". */
  readonly map?: readonly string[];
  /** Whether two files are two runs. */
  readonly compare?: boolean;
}

/** The page that the command makes. */
export interface MadePage {
  readonly kind: "page";
  readonly id: number;
  /** The exit code of the command. */
  readonly code: number;
  readonly headline: string;
  /** For a terminal, as a part of a page, and as a file. */
  readonly text: string;
  readonly part: string;
  readonly document: string;
  /** Sections of the debugging guide that it names. */
  readonly sections: readonly string[];
}

/** Progress in the reading of a file, in bytes. */
export interface Progress {
  readonly kind: "progress";
  readonly id: number;
  readonly path: string;
  readonly read: number;
  readonly size: number;
}

/** Nothing could be read: `refused` says why; `failed` is an error of ours. */
export interface Failure {
  readonly kind: "refused" | "failed";
  readonly id: number;
  readonly message: string;
}

export type Answer = MadePage | Progress | Failure;
