/** Exit codes of `turnwise watch`; 1 is for a log that cannot be read. */
export const codes = {
  /** It was checked whether success has fallen, and it has not. */
  healthy: 0,
  fell: 3,
  /** It cannot be told whether success has fallen, nothing was learned, or a number of the trainer is NaN to the end. */
  unknown: 4,
} as const;

export type Code = (typeof codes)[keyof typeof codes];

/** The worst of several: a fall, then what cannot be told. */
export function worstOf(all: readonly Code[]): Code {
  return [codes.fell, codes.unknown].find((code) => all.includes(code)) ?? codes.healthy;
}
