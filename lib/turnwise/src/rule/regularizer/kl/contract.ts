/** Declaration by a file of this folder of an estimate of KL(p || q) from one token that p drew, with d = log q - log p, in nats. */
export interface Estimator {
  /** LaTeX, without delimiters. */
  readonly equation: string;
  /** A paper or repository that a reader can open. */
  readonly source: string;
  readonly value: (d: number) => number;
  /** Derivative of the value in log p. */
  readonly slope: (d: number) => number;
  /** Whether its slope, not its value, has the divergence's gradient as its mean: then no gradient goes through a weight. */
  readonly slopeAlone: boolean;
  /** Whether its slope is another estimate's, which no limit cuts. */
  readonly borrowsSlope: boolean;
}

/** Which divergence is charged, and how it is computed: a penalty's field without its weight. */
export interface KlShape {
  /** KL(new || other), or KL(other || new). */
  readonly direction: "reverse" | "forward";
  readonly estimator: "exact" | "k1" | "k2" | "k3" | "k3+";
  readonly correction: "none" | "importanceWeighted";
  /** In nats. */
  readonly clamp: { readonly logRatio: number; readonly value: number } | null;
}

/** Policy that the present policy is compared with. */
export type KlOther = "reference" | "old";
