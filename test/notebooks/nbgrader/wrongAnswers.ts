/** A wrong answer to each exercise, as a student may give it, and the sentence that it is told. */
export const wrongAnswers: Readonly<Record<string, readonly [body: string, told: string]>> = {
  "00-one-knob": [
    'return recipe("grpo");',
    "oneKnob: the rule is grpo as it stands; change one field of it.",
  ],
  "01-group-advantage": [
    "const mean = reward_n.reduce((sum, r) => sum + r, 0) / reward_n.length;\n  return reward_n.map((r) => r - mean);",
    "groupAdvantage: it uses the whole batch's mean; a trajectory is compared with its own group.",
  ],
  "01-leave-one-out": [
    "return reward_n.map((r, n) => {\n    const own = reward_n.filter((_, j) => groupId_n[j] === groupId_n[n]);\n    return r - own.reduce((sum, x) => sum + x, 0) / own.length;\n  });",
    "leaveOneOut: it includes itself in the baseline; the mean must be over the others of its group.",
  ],
  "02-expected-push": [
    "return prize_k.reduce((push, prize, k) => push + (chance_k[k] * (prize - salary)) / 2, 0);",
    "expectedPush: it does not divide by the std of the group.",
  ],
  "03-seeupo-carry": [
    "return advantage_n.map((A, n) => ratio_nt[n].slice(0, turnCount_n[n]).map(() => A));",
    "carry: the carry is missing: every turn has the same weight, as in a simultaneous update.",
  ],
  "09-two-shares": [
    "return [both - second, both - first];",
    "twoShares: it is what would be lost without each agent; these do not add up to what the two gain.",
  ],
  "04-echo-trap": ["return false;", "echoTrap: it never rings, not even after the reward has fallen."],
  "05-clip": [
    "return ratio_l.map((r, l) => (Math.abs(r - 1) > epsilon ? 0 : r * advantage_l[l]));",
    "clipGate: it stops every ratio outside of the window; one on the wrong side for its advantage may come back.",
  ],
  "05-turn-ratio": [
    "return mask_tl.map((mask_l, t) =>\n    Math.exp(mask_l.reduce((sum, m, l) => sum + (m ? logProb_tl[t][l] - oldLogProb_tl[t][l] : 0), 0)),\n  );",
    "turnRatio: it sums instead of averaging over the turn's tokens: that is the product, not the geometric mean.",
  ],
  "06-the-mask": [
    "const all = loss_tl.flat();\n  return all.reduce((sum, x) => sum + x, 0) / all.length;",
    "maskedLoss: it averages over every cell, padding included; nothing is masked.",
  ],
  "06-worth-of-looking": [
    "const best = chance_s.map((chance, s) => chance * Math.max(...reward_sa[s]));\n  const fixed = reward_sa[0].map((_, a) => chance_s.reduce((x, c, s) => x + c * reward_sa[s][a], 0));\n  return best.reduce((sum, x) => sum + x, 0) - Math.max(...fixed);",
    "worthOfLooking: it lets the agent know the state; it knows only what it sees.",
  ],
  "07-verifier": [
    "return after.bookings.some(\n    ({ guest, day, seats }) =>\n      guest === task.guest && day === task.day && seats === task.seats,\n  );",
    "verifier: it pays an agent that moved the guest's booking of another day instead of making one.",
  ],
  "08-information-gain": [
    "const p_t = logProb_tl.map((l) => Math.exp(l.reduce((sum, x) => sum + x, 0)));\n  return p_t.map((p, t) => (t + 1 < p_t.length ? p_t[t + 1] - p : outcome));",
    "informationGain: it multiplies the tokens' probabilities; their geometric mean is asked for.",
  ],
  "10-log-prob": [
    "const total = logit_v.reduce((sum, z) => sum + Math.exp(z), 0);\n  return logit_v[token] - Math.log(total);",
    "tokenLogProb: it is wrong with other temperatures than 1.",
  ],
  "11-read-the-alarm": [
    "const above = lines.find((line) => (line.frac_reward_zero_std ?? 0) - (line.reward ?? 0) > 0.2);\n  return above?.step ?? null;",
    "unearnedSilence: it rings at a single bad step; a healthy run has such steps, too.",
  ],
};
