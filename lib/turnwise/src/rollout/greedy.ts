import type { Rng } from "../base/rng";

/** A generator whose categorical draws are always the likeliest entry (the first, if several are equal). */
export function greedy(rng: Rng): Rng {
  return {
    next: () => rng.next(),
    below: (n) => rng.below(n),
    normal: () => rng.normal(),
    shuffle: (items) => rng.shuffle(items),
    split: (name, ...keys) => greedy(rng.split(name, ...keys)),
    state: () => rng.state(),
    categorical(logProb) {
      let best = 0;
      for (let i = 1; i < logProb.length; i++) if (logProb[i]! > logProb[best]!) best = i;
      return best;
    },
  };
}
