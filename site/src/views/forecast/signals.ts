/** The signals that bet against the reader, each by the alarm of the monitor that it is judged by. */
export const signals = {
  success: { alarm: "success itself", title: "success itself" },
  equal: { alarm: "unearned silence", title: "equal-reward groups" },
  spike: { alarm: "gradient spike", title: "gradient spike" },
  std: { alarm: "std cliff", title: "std within groups" },
} as const;

export type SignalName = keyof typeof signals;

export const signalNames = Object.keys(signals) as readonly SignalName[];
