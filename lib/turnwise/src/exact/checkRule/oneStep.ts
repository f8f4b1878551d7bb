import { createRng, type Rng } from "../../base/rng";
import { largest } from "../../base/vectors";
import type { Recipe } from "../../rule";
import { exactReturn, expectedUpdate } from "./expectation";
import { figure, type Finding } from "./finding";
import { policyOf, type Case } from "./games";
import { tokenGame, tokenPolicy, type TokenGame, type TokenPolicy } from "./tokenGame";

/** Small groups show what a deviation does, and their expectation is a sum of a few terms. */
const GROUP_SIZES = [2, 4] as const;
/** The step's largest change of a logit. */
const STEP = 0.5;
const BANDITS = 24;
const FORKS = 8;

/** Reward of an arm, and its probability; else 0. */
interface Arm {
  readonly pays: number;
  readonly chance: number;
}

interface Trial {
  readonly game: TokenGame;
  readonly policy: TokenPolicy;
  readonly told: string;
}

/** Two arms, each of which pays a round sum for sure or by chance. */
function bandit(rng: Rng): Trial {
  const arms = ["a", "b"].map((): Arm => arm(rng));
  const game = tokenGame("bandit", ["bandit"], (play) => {
    play.turn("arms");
    pay(play, arms[play.choose("arms", ["a", "b"]) === "a" ? 0 : 1]!);
  });
  const p = (1 + rng.below(3)) / 4;
  const says = arms.map((one, k) => `${"ab"[k]!} ${said(one)}`).join(", ");
  return { game, policy: policyOf(game, { arms: [p, 1 - p] }), told: `${says}; pi(a) = ${p}` };
}

/** Stop for a sum, or go on to two arms. */
function fork(rng: Rng): Trial {
  const stop = { pays: (1 + rng.below(9)) / 10, chance: 1 };
  const arms = ["a", "b"].map((): Arm => ({ pays: rng.below(11) / 10, chance: 1 }));
  const game = tokenGame("fork", ["fork"], (play) => {
    play.turn("start");
    if (play.choose("start", ["stop", "go"]) === "stop") {
      pay(play, stop);
      return;
    }
    play.turn("arms");
    pay(play, arms[play.choose("arms", ["a", "b"]) === "a" ? 0 : 1]!);
  });
  const [p, q] = [(1 + rng.below(3)) / 4, (1 + rng.below(3)) / 4];
  return {
    game,
    policy: policyOf(game, { start: [p, 1 - p], arms: [q, 1 - q] }),
    told: `stop ${said(stop)}, or go on, where a ${said(arms[0]!)} and b ${said(arms[1]!)}; pi(stop) = ${p}, pi(a) = ${q}`,
  };
}

function arm(rng: Rng): Arm {
  if (rng.below(2) === 0) return { pays: (1 + rng.below(4)) / 10, chance: 1 };
  return { pays: 1, chance: [0.1, 0.25, 0.5][rng.below(3)]! };
}

function pay(play: Parameters<Parameters<typeof tokenGame>[2]>[0], { pays, chance }: Arm): void {
  play.reward(chance === 1 ? pays : play.chance([[pays, chance], [0, 1 - chance]])); // prettier-ignore
}

const said = ({ pays, chance }: Arm): string =>
  chance === 1 ? `pays ${pays}` : `pays ${pays} with probability ${chance}`;

const trials: readonly Trial[] = [
  ...Array.from({ length: BANDITS }, (_, i) => bandit(createRng(0).split("bandit", i))),
  ...Array.from({ length: FORKS }, (_, i) => fork(createRng(0).split("fork", i))),
];

interface Step {
  readonly before: number;
  readonly after: number;
  readonly groupSize: number;
}

/** J before and after a step along the expected update whose largest entry is `STEP`. */
function stepOf(rule: Recipe, { game, policy }: Case): Step | null {
  const before = exactReturn(game, policy).J;
  for (const groupSize of GROUP_SIZES) {
    const { mean } = expectedUpdate(rule, game, policy, groupSize);
    const most = largest(mean);
    if (most < 1e-12) continue;
    const logits = policy.logits.map((x, i) => x + (STEP * mean[i]!) / most);
    return { before, after: exactReturn(game, tokenPolicy(game, logits)).J, groupSize };
  }
  return null;
}

/** Whether one step along the expected update raises J, on random bandits and on forks of two turns. */
export function oneStep(rule: Recipe): Finding {
  const fallen: (Step & Trial)[] = [];
  let moves = 0;
  for (const trial of trials) {
    const step = stepOf(rule, trial);
    if (step === null) continue;
    moves++;
    if (step.after < step.before - 1e-9) fallen.push({ ...step, ...trial });
  }
  const deepest = (of: readonly (Step & Trial)[]): (Step & Trial) | undefined =>
    [...of].sort((a, b) => a.after - a.before - (b.after - b.before))[0];
  // A bandit is easier to work out by hand than a fork.
  const shown = deepest(fallen.filter(({ game }) => game.name === "bandit")) ?? deepest(fallen);
  const figures = {
    games: moves,
    "J fell": fallen.length,
    "largest fall": Math.max(0, ...fallen.map(({ before, after }) => before - after)),
  };
  return {
    check: "one step",
    verdict: "told",
    sentence:
      moves === 0
        ? "No step moves on any of the games."
        : fallen.length === 0
          ? `One step along the expected update raises J on all of ${moves} random games.`
          : `One step along the expected update lowers J on ${fallen.length} of ${moves} random games.`,
    ...(shown === undefined
      ? {}
      : {
          hint: `By hand: ${shown.told}. In groups of ${shown.groupSize}, where a step changes a logit by ${STEP} at most, J falls from ${figure(shown.before)} to ${figure(shown.after)}.`,
        }),
    figures,
  };
}
