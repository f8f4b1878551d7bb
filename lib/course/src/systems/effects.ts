/** The smallest effects that matter, named before the runs: of returns, and of tool calls an episode. */
export const systemEffects = Object.freeze({ score: 0.05, calls: 0.25 });
