import { expectWhole } from "../base/expect";
import { log } from "../base/elementary/log";
import type { Env } from "../env/env";
import type { Policy } from "../policy/policy";
import { turnEntropy } from "./turnEntropy";
import { growInRounds } from "./growInRounds";
import { whereSparse } from "./growWhereSparse";
import { whereUnsure } from "./growWhereUnsure";
import { branchOf, freshEnv, idOf, leave } from "./leave";
import { begin, run, takeTurns, type Place, type Playing, type Trajectory } from "./trajectory";

/**
 * Which trajectories of a group leave others.
 *
 * - `atTurn`: each tree has a trunk, which all its other leaves leave at this turn. Where the trunk has ended, they repeat it.
 * - `random`: each leaf leaves its trunk at a random turn: one of the trunk's own (`trunk`, as Tree-GRPO does), or one of
 *   all that the world allows (`limit`), where a leaf repeats a trunk that has ended. The first reaches long episodes more often
 *   than the policy does, the second as often.
 * - `entropy`: the first `initial` of a group begin at the start. After each turn, a running trajectory is left with the probability
 *   p + w (H_t - H_0) / log V, as long as members are missing; those that are missing in the end begin at the start (ARPO).
 * - `uncertain`: the first `initial` of a group play to their end. The others come in `rounds`, each of which plays the turns
 *   again that the policy was least sure of (AT²PO).
 * - `sparse`: the `first` ones of a group play to their end. The others come one by one, each from the history whose turns are
 *   most surprising for their number (CARL).
 */
export type ForkPlan =
  | { readonly kind: "none" }
  | { readonly kind: "atTurn"; readonly turn: number; readonly leaves: number }
  | { readonly kind: "random"; readonly leaves: number; readonly among: "trunk" | "limit" }
  | {
      readonly kind: "entropy";
      /** Share of the group's members that begin at the start. */
      readonly initial: number;
      readonly probability: number;
      readonly weight: number;
    }
  | {
      readonly kind: "uncertain";
      /** Share of the group's members that begin at the start. */
      readonly initial: number;
      readonly rounds: number;
      /** Deduction from a turn's score, in nats, for each other way to go on from the same history. */
      readonly penalty: number;
    }
  | {
      readonly kind: "sparse";
      /** Number of the group's members that begin at the start. */
      readonly first: number;
    };

type Plan<K> = Extract<ForkPlan, { readonly kind: K }>;

/**
 * Samples the members of each group as trees of trajectories that share what came before they parted.
 *
 * @throws {TypeError} if the world cannot be branched
 * @see Tree-GRPO, arXiv 2509.21240; search_r1/llm_agent/generation_ts.py:554 and tree_node.py:132 in AMAP-ML/Tree-GRPO at 90b1709
 * @see ARPO, arXiv 2507.19849; vllm_rollout_with_tools.py:473 in dongguanting/ARPO at e257337
 * @see AT²PO, arXiv 2601.04767; vllm_rollout_with_tools_tree_offline.py:341 in zzfoutofspace/ATPO at 98e60f6
 */
export function growTrees(
  env: Env,
  policy: Policy,
  o: Playing,
  plan: Exclude<ForkPlan, { kind: "none" }>,
  places: readonly Place[],
): Trajectory[] {
  expectPlan(plan);
  const grown = grow(env, policy, o, plan, places);
  return places.map(({ group, member }) => grown.get(idOf(group, member))!);
}

function grow(
  env: Env,
  policy: Policy,
  o: Playing,
  plan: Exclude<ForkPlan, { kind: "none" }>,
  places: readonly Place[],
): Map<string, Trajectory> {
  if (plan.kind === "entropy") return byEntropy(env, policy, o, plan, places);
  if (plan.kind === "uncertain") return growInRounds(env, policy, o, whereUnsure(plan), places);
  if (plan.kind === "sparse") return growInRounds(env, policy, o, whereSparse(plan), places);
  return fromTrunks(env, policy, o, plan, places);
}

function expectPlan(plan: Exclude<ForkPlan, { kind: "none" }>): void {
  if (plan.kind === "uncertain") expectWhole("collect", "forks.rounds", plan.rounds, 1);
  if (plan.kind === "sparse") expectWhole("collect", "forks.first", plan.first, 1);
  if (plan.kind === "atTurn" || plan.kind === "random")
    expectWhole("collect", "forks.leaves", plan.leaves, 1);
  if (plan.kind === "atTurn") expectWhole("collect", "forks.turn", plan.turn, 0);
}

/** Trunks first, with a branch kept before each of their turns; then what leaves them. */
function fromTrunks(
  env: Env,
  policy: Policy,
  o: Playing,
  plan: Plan<"atTurn"> | Plan<"random">,
  places: readonly Place[],
): Map<string, Trajectory> {
  const { temperature = 1 } = o;
  const trunkOf = ({ member }: Place): number => member - (member % plan.leaves);
  const trunks = new Map<string, Trajectory>();
  const kept = new Map<Trajectory, Env[]>();
  for (const place of places) {
    if (place.member !== trunkOf(place)) continue;
    const trunk = begin(freshEnv(env), o, place);
    trunks.set(trunk.trajectoryId, trunk);
    kept.set(trunk, []);
  }
  run([...trunks.values()], policy, temperature, (trunk) => kept.get(trunk)!.push(branchOf(trunk.env, 0)));
  const leaves = new Map(trunks);
  for (const place of places) {
    const { group, member } = place;
    if (member === trunkOf(place)) continue;
    const trunk = trunks.get(idOf(group, trunkOf(place)))!;
    const taken = trunk.actions.length;
    const turn = Math.min(taken, turnToLeave(plan, o, place, taken, env.spec.maxTurns));
    const stands = turn === taken ? trunk.env : branchOf(kept.get(trunk)![turn]!, member);
    leaves.set(idOf(group, member), leave(trunk, stands, turn, o, place));
  }
  run([...leaves.values()], policy, temperature);
  return leaves;
}

function turnToLeave(
  plan: Plan<"atTurn"> | Plan<"random">,
  o: Playing,
  { group, member }: Place,
  taken: number,
  maxTurns: number,
): number {
  if (plan.kind === "atTurn") return plan.turn;
  return o.rng.split("fork", group, member).below(plan.among === "trunk" ? taken : maxTurns);
}

/** The members of one group, while they grow. */
interface Growing {
  readonly places: readonly Place[];
  /** Members that exist so far. */
  count: number;
  live: Trajectory[];
  /** Entropy of each trajectory's own first turn. */
  readonly first: Map<Trajectory, number>;
}

/** All groups side by side, a turn at a time, as forks of a turn take part in the next. */
function byEntropy(
  env: Env,
  policy: Policy,
  o: Playing,
  plan: Plan<"entropy">,
  places: readonly Place[],
): Map<string, Trajectory> {
  const all = new Map<string, Trajectory>();
  const add = (growing: Growing, made: (place: Place) => Trajectory): void => {
    const trajectory = made(growing.places[growing.count++]!);
    growing.live.push(trajectory);
    all.set(trajectory.trajectoryId, trajectory);
  };
  const fresh = (place: Place): Trajectory => begin(freshEnv(env), o, place);
  const groups = [...new Set(places.map(({ group }) => group))].map((group): Growing => {
    const own = places.filter((place) => place.group === group);
    return { places: own, count: 0, live: [], first: new Map() };
  });
  for (const growing of groups) {
    const initial = Math.max(1, Math.ceil(plan.initial * growing.places.length));
    while (growing.count < Math.min(initial, growing.places.length)) add(growing, fresh);
  }
  for (;;) {
    const live = groups.flatMap((growing) => growing.live);
    if (live.length === 0) return all;
    takeTurns(live, policy, o.temperature ?? 1);
    for (const growing of groups) {
      const { first } = growing;
      growing.live = growing.live.filter(({ ended }) => !ended);
      for (const source of [...growing.live]) {
        const turn = source.actions.length;
        const entropy = turnEntropy(policy, source, o.temperature ?? 1);
        if (!first.has(source)) first.set(source, entropy);
        if (growing.count === growing.places.length) continue;
        const rise = (entropy - first.get(source)!) / log(env.spec.vocabulary.length);
        const { group, member } = placeOf(growing, source);
        // As in the released code, a draw is compared even where the probability leaves [0, 1].
        const draw = o.rng.split("fork", group, member, turn).next() - plan.weight * rise;
        if (Math.max(0, Math.min(1, draw)) > plan.probability) continue;
        add(growing, (place) => leave(source, branchOf(source.env, place.member), turn, o, place));
      }
      if (growing.live.length === 0 && growing.count < growing.places.length) add(growing, fresh);
    }
  }
}

function placeOf({ places }: Growing, { trajectoryId }: Trajectory): Place {
  return places.find(({ group, member }) => idOf(group, member) === trajectoryId)!;
}
