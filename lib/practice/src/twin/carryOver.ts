/** A claim of lesson 11, which asks of larger policies again what was found in tables. */
export interface CarriedClaim {
  readonly claim: string;
  readonly measured: string;
  readonly verdict: string;
  /** The consequence for a twin. */
  readonly says: string;
}

/** The claims of lesson 11 that bear on a twin. A test compares them with the lesson's ledger. */
export const carriedClaims: readonly CarriedClaim[] = [
  {
    claim: "24 full-size steps of Adam on each batch: the run learns its task, and loses it again",
    measured:
      "table: 34 of 40 runs fall, share 0.85 [0.70, 0.94]; transformer: 26 of 40 runs fall, share 0.65 [0.48, 0.79]",
    verdict: "holds",
    says: "that many steps on a batch break a run holds in tables and in small transformers alike",
  },
  {
    claim: "Success sags before it falls: it knows the run that is about to fall",
    measured: "table: area 0.81 [0.75, 0.86]; transformer: area 0.57 [0.42, 0.71]",
    verdict: "holds if policy = table of {table, transformer}",
    says: "success that sags foretells a fall in tables; in transformers that was not shown",
  },
  {
    claim: "Unearned silence knows the run that is about to fall",
    measured: "table: area 0.73 [0.68, 0.78]; transformer: area 0.57 [0.49, 0.65]",
    verdict: "holds if policy = table of {table, transformer}",
    says: "so for groups that fall silent: the order of events is weaker evidence than the collapse itself",
  },
];
