import { createRng, type Rng } from "../../base/rng";
import type { Action, Env, Observation } from "../../env/env";
import type { History, Policy } from "../../policy/policy";
import { collect } from "../../rollout/collect";
import { ActionAverages } from "../../search/actionAverages";
import { HistoryTree, mostTried } from "../../search/historyTree";
import { searchActions } from "../../search/search";
import { countSteps } from "../../search/stepCounter";
import { periodicYield } from "../periodicYield";
import { demonstrationBatch, type Demonstration } from "../imitate/demonstrations";
import { imitationLoss, imitationStep } from "../imitate/step";
import { createOptimizer, type Optimizer } from "../optimizer";
import { readOptions, type ExpertIterationOptions, type ExpertIterationSettings } from "./options";

/** Result of one iteration. */
export interface ExpertIterationRecord {
  readonly iteration: number;
  /** Environment steps really taken so far, by the tree; evaluation is not among them. */
  readonly steps: number;
  readonly episodes: number;
  /** Mean return of the tree's own episodes in this iteration. */
  readonly searched: number;
  /** Histories whose best turn the policy was taught. */
  readonly histories: number;
  /** Mean of -log pi(taught token) after the last step, nats; 0 where nothing was taught. */
  readonly loss: number;
  /** Mean return of the policy alone, without search; only where it is evaluated. */
  readonly return?: number;
}

/**
 * Search finds, imitation learns, again and again, in place: a tree of histories grows in the world itself, and the policy is taught
 * the turn that the tree prefers after each history.
 *
 * Every simulation is an episode of the world that begins with a start of its own, so the tree compares turns by what an agent
 * can see, never by a hidden state. It knows which turns the world tells apart (`actionClasses`) and nothing else of its rules. Rollouts
 * play by the mean returns of actions, or by the policy (`trust`).
 *
 * @throws {RangeError} if an option is unknown or out of range, or the policy's loss is not finite
 * @example
 * import { createPolicy, make } from "turnwise";
 * import { expertIteration } from "turnwise/search";
 * const env = make("LookUp-v0");
 * const policy = createPolicy(env.spec);
 * let last = 0;
 * for await (const record of expertIteration(env, policy, { iterations: 4, stepsPerIteration: 5000 })) last = record.return!;
 * last > 0.9; // => true
 * @see Anthony, Tian, Barber, "Thinking fast and slow with deep learning and tree search", arXiv 1705.08439. Departures: one tree for the
 *   whole run instead of a new one for each position, in a world that hides its state; no bonus from the policy in the tree
 */
export async function* expertIteration(
  env: Env,
  policy: Policy,
  options: ExpertIterationOptions = {},
): AsyncGenerator<ExpertIterationRecord, void> {
  const o = readOptions(options);
  const counted = countSteps(env);
  const rng = createRng(o.seed).split("expertIteration");
  const expert = new Expert(counted, policy, o);
  const optimizer = createOptimizer({ kind: "adam", learningRate: o.learningRate });
  const breathe = periodicYield();
  let episodes = 0;
  for (let iteration = 1; iteration <= o.iterations; iteration++) {
    const before = episodes;
    let earned = 0;
    while (counted.steps < iteration * o.stepsPerIteration) {
      await breathe();
      earned += expert.play(rng.split("episode", episodes++));
    }
    const shown = expert.taught();
    const loss = learn(policy, shown, env.spec.maxTokens, o.imitationSteps, optimizer);
    const played =
      o.evaluate &&
      collect(env, policy.clone(), { groups: o.evalEpisodes, groupSize: 1, rng: rng.split("evaluation") });
    yield {
      iteration,
      steps: counted.steps,
      episodes,
      searched: earned / (episodes - before),
      histories: shown.length,
      loss,
      ...(played && { return: played.return_n.reduce((a, b) => a + b, 0) / o.evalEpisodes }),
    };
  }
}

/** The tree, and how it plays where it has not been. */
class Expert {
  readonly #actions: readonly Action[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #averages: ActionAverages;
  readonly #tree: HistoryTree;
  readonly #starts = new Map<string, Observation>();
  /** Whether the policy plays the present rollout. */
  #trusted = false;

  constructor(
    private readonly env: Env,
    private readonly policy: Policy,
    private readonly o: ExpertIterationSettings,
  ) {
    this.#actions = searchActions(env);
    this.#places = new Map(this.#actions.map((action, a) => [action.join(), a]));
    this.#averages = new ActionAverages(this.#actions.length, o.floor);
    this.#tree = new HistoryTree({
      actions: this.#actions,
      exploration: o.exploration,
      widening: o.widening,
      maxTurns: env.spec.maxTurns,
      promise: ({ observations }, arm, earlier) => earlier + this.#averages.average(observations[0]!, arm),
      rollout: (history, rng) => this.#rollout(history, rng),
    });
  }

  /** Plays one episode of the world through the tree; gives its return. */
  play(rng: Rng): number {
    const { env } = this;
    const [first] = env.reset({ seed: rng.split("env").below(4294967296) });
    this.#starts.set(first.tokens.join(), first);
    this.#trusted = this.o.trust > 0 && rng.split("trust").next() < this.o.trust;
    const arms: number[] = [];
    const step = (action: Action): { observation: Observation; reward: number; ended: boolean } => {
      const arm = this.#places.get(action.join());
      if (arm !== undefined) arms.push(arm);
      const [observation, reward, terminated, truncated] = env.step(action);
      return { observation, reward, ended: terminated || truncated };
    };
    const earned = this.#tree.simulate({ observations: [first], actions: [] }, { step }, rng.split("tree"));
    this.#averages.add(first, arms, earned);
    return earned;
  }

  #rollout(history: History, rng: Rng): Action {
    if (this.#trusted) return this.policy.sample([history], [rng])[0]!.tokens;
    if (rng.next() < this.o.uniform) return this.#actions[rng.below(this.#actions.length)]!;
    return this.#actions[this.#averages.draw(history.observations[0]!, rng)]!;
  }

  /** The turn that the tree prefers after each history that its own choices lead to and that it has met often enough. */
  taught(): Demonstration[] {
    const shown: Demonstration[] = [];
    const open: History[] = [...this.#starts.values()].map((first) => ({
      observations: [first],
      actions: [],
    }));
    for (let history = open.pop(); history; history = open.pop()) {
      const arms = this.#tree.arms(history);
      if (!arms || arms.reduce((sum, { visits }) => sum + visits, 0) < this.o.minVisits) continue;
      const { action } = mostTried(arms);
      shown.push({ tokens: action, context: this.policy.contextOf(history) });
      const { observations, actions } = history;
      for (const seen of this.#tree.seenAfter(history, action)) {
        open.push({ observations: [...observations, seen], actions: [...actions, action] });
      }
    }
    return shown;
  }
}

/** Full batches of what was shown; the loss after the last step. */
function learn(
  policy: Policy,
  shown: readonly Demonstration[],
  maxTokens: number,
  steps: number,
  optimizer: Optimizer,
): number {
  if (shown.length === 0) return 0;
  const batch = demonstrationBatch(shown, maxTokens);
  for (let k = 1; k <= steps; k++) imitationStep(policy, batch, optimizer, k);
  return imitationLoss(batch, policy.evaluate(batch));
}
