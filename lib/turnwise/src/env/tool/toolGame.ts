import type { Action, GoldAnswer, Observation, Outcome, ToolSpec } from "../env";
import type { Game } from "../game";
import { classesOfTurns, END, syntaxOf, type Call, type CallForm, type Parsed } from "./grammar";
import { DISTRACTORS, usedOptions, type ToolOptions } from "./options";
import { newlyPassed, progressOf, type Milestone } from "./progress";

/** Effect of a call on the state of a task. */
export interface Effect<State> {
  /** Default 1. */
  readonly probability?: number;
  readonly state: State;
  readonly observation: Observation;
  /** The tool refused: the observation is an error. */
  readonly refused?: boolean;
  /** Whether what the turn claims is true, where it claims something. */
  readonly claim?: boolean;
  /** Subtracted from the reward of this turn. */
  readonly cost?: number;
  /** The work is handed in: the episode ends, and this is its true score, in [0, 1]. */
  readonly score?: number;
}

/** A task at its start. */
export interface TaskStart<State> {
  readonly id: string;
  readonly level: number;
  readonly state: State;
  readonly observation: Observation;
}

/** Rules of one environment with tools; `toolGame` adds turns, limits, costs, errors and rewards. */
export interface ToolRules<State> {
  readonly id: string;
  readonly skill: string;
  /** Agent's tokens, END last; the distractor tools are among them. */
  readonly vocabulary: readonly string[];
  readonly observationVocabulary: readonly string[];
  readonly options: ToolOptions & { readonly tasks?: readonly unknown[] };
  readonly turnLimit: number;
  readonly longestCall: number;
  /** Possible forms of a well-formed call; a policy's `syntaxPrior` knows them. */
  readonly forms: readonly CallForm[];
  /** The tools as models call them. */
  readonly tools: readonly ToolSpec[];
  readonly tasks: readonly TaskStart<State>[];
  readonly milestones: readonly Milestone[];
  parse(action: Action): Parsed;
  /** Every outcome of a call that could be parsed. */
  call(state: State, call: Call): readonly Effect<State>[];
  /** Milestones that the verifier finds in this state; `score` is there once the episode is over. */
  holding(state: State, score: number | undefined): readonly string[];
  /**
   * Reaction of the world to any turn: its next state, an observation that follows the tool's own, and a score if the
   * episode ends by itself.
   */
  tick?(state: State): {
    readonly state: State;
    readonly observation: Observation;
    readonly score?: number;
  };
  /** The answer that scores 1, in worlds whose tasks have a single one. */
  gold?(state: State): GoldAnswer;
  /** True score of a task that was never handed in. Default 0. */
  scoreAtEnd?(state: State): number;
  /** True only where no continuation scores above 0; for an environment whose calls are free. */
  isLost?(state: State): boolean;
  render(state: State): string;
}

export interface ToolState<State> {
  readonly task: State;
  readonly turn: number;
  readonly passed: readonly string[];
  readonly over: "" | "handed in" | "out of turns";
}

/** Observation tokens that every tool environment has, after its own. */
const SHARED = ["error", "ok", "nothing"] as const;

function joined(first: Observation, second: Observation): Observation {
  return { tokens: [...first.tokens, ...second.tokens], text: `${first.text}; ${second.text}` };
}

/** Place of the shared observation tokens, after an agent's and an environment's own tokens. */
export function sharedTokens(
  vocabulary: readonly string[],
  own: readonly string[],
): Record<(typeof SHARED)[number], number> {
  const first = vocabulary.length + own.length;
  return { error: first, ok: first + 1, nothing: first + 2 };
}

/**
 * A game around the tools of an environment.
 *
 * Rewards, with S the true score of the finished episode, Phi the weight of the milestones that counted, T the turn limit:
 *
 * ```
 * outcome       r_t = S in the last turn, else 0
 * verification  r_t = Phi_t - Phi_{t-1}, and S - Phi_{T-1} in the last turn: the return is S, as for `outcome`
 * checklist     r_t = Phi_t - Phi_{t-1}
 * proxy         r_t = 1/(2T) for a call without an error, and 1/2 for handing in anything
 * ```
 *
 * and the turn cost and the cost of the call are subtracted. `verification` moves credit to the turn that earned it and
 * leaves every policy's return alone. `proxy` is paid by a judge who cannot read the state: calling useless tools until
 * the last turn and handing in a guess gets all of it.
 *
 * @see Ng, Harada, Russell, "Policy invariance under reward transformations" (1999), theorem 1, for `verification`;
 *   CM2, arXiv 2602.12268, for checklists with dependencies; Goodhart's law for `proxy`
 */
export function toolGame<State>(rules: ToolRules<State>): Game<ToolState<State>> {
  const { options: o, vocabulary, turnLimit } = rules;
  const maxTokens = o.tokenLimit || rules.longestCall;
  if (maxTokens < rules.longestCall) {
    throw new RangeError(
      `Cannot make ${rules.id}: tokenLimit must be at least ${rules.longestCall}, the longest call, got ${maxTokens}.`,
    );
  }
  if (turnLimit < 1) throw new RangeError(`Cannot make ${rules.id}: turnLimit must be at least 1.`);
  const drawn = rules.tasks.filter(({ level }) => o.drawLevel === 0 || level === o.drawLevel);
  if (drawn.length === 0) {
    throw new RangeError(
      `Cannot make ${rules.id}: there must be tasks of drawLevel, but none of ${rules.tasks.length} has level ${o.drawLevel}.`,
    );
  }
  const observationVocabulary = [...rules.observationVocabulary, ...SHARED];
  const endToken = vocabulary.indexOf(END);
  const shared = sharedTokens(vocabulary, rules.observationVocabulary);
  const nothing: Observation = { tokens: [shared.nothing], text: "result: nothing of use" };
  let classes: ReturnType<typeof classesOfTurns>;
  let classesKnown = false;

  const effectsOf = (state: State, parsed: Parsed): readonly Effect<State>[] => {
    if ("error" in parsed) {
      const meant = parsed.tool === undefined ? [] : [parsed.observed ?? vocabulary.indexOf(parsed.tool)];
      return [
        {
          state,
          observation: { tokens: [shared.error, ...meant], text: `error: ${parsed.error}` },
          refused: true,
        },
      ];
    }
    if ((DISTRACTORS as readonly string[]).includes(parsed.tool)) return [{ state, observation: nothing }];
    return rules.call(state, parsed);
  };

  const settle = (
    before: ToolState<State>,
    parsed: Parsed,
    effect: Effect<State>,
  ): Outcome<ToolState<State>> => {
    const tick = rules.tick?.(effect.state);
    const task = tick?.state ?? effect.state;
    const score = effect.score ?? tick?.score;
    const handedIn = score !== undefined;
    const terminated = handedIn || before.turn + 1 >= turnLimit;
    const trueScore = !terminated ? 0 : (score ?? rules.scoreAtEnd?.(task) ?? 0);
    const holding = rules.holding(task, terminated ? trueScore : undefined);
    const gained = newlyPassed(rules.milestones, holding, before.passed);
    const passed = [...before.passed, ...gained];
    const phiBefore = progressOf(rules.milestones, before.passed);
    const phi = progressOf(rules.milestones, passed);
    const proxy = (effect.refused ? 0 : 1 / (2 * turnLimit)) + (handedIn ? 1 / 2 : 0);
    const paid = {
      outcome: trueScore,
      verification: terminated ? trueScore - phiBefore : phi - phiBefore,
      checklist: phi - phiBefore,
      proxy,
    }[o.reward];
    const malformed = "error" in parsed;
    const gold = rules.gold?.(task);
    const bad = malformed || effect.refused === true || effect.claim === false;
    const good = effect.claim === true || gained.length > 0;
    const verdict = handedIn ? (trueScore === 1 ? 1 : -1) : bad ? -1 : good ? 1 : 0;
    return {
      probability: effect.probability ?? 1,
      state: {
        task,
        turn: before.turn + 1,
        passed,
        over: handedIn ? "handed in" : terminated ? "out of turns" : "",
      },
      observation: tick ? joined(effect.observation, tick.observation) : effect.observation,
      reward: paid - o.turnCost - (effect.cost ?? 0),
      terminated,
      info: {
        call: malformed ? "malformed" : handedIn ? "answer" : "tool",
        tool: malformed ? "malformed" : parsed.tool,
        refused: effect.refused === true,
        success: terminated && trueScore === 1,
        trueScore,
        passed: gained,
        proxy,
        verdict,
        ...(gold && { gold }),
      },
    };
  };

  return {
    spec: {
      id: rules.id,
      skill: rules.skill,
      vocabulary,
      observationVocabulary,
      maxTurns: turnLimit,
      maxTokens,
      endToken,
      syntax: syntaxOf(rules.forms, vocabulary, maxTokens),
      tools: rules.tools,
      options: usedOptions(o),
    },
    start: () =>
      drawn.map(({ id, state, observation }) => ({
        probability: 1 / drawn.length,
        state: { task: state, turn: 0, passed: [], over: "" },
        observation,
        reward: 0,
        terminated: false,
        taskId: id,
      })),
    transition(state, action) {
      const parsed = rules.parse(action);
      return effectsOf(state.task, parsed).map((effect) => settle(state, parsed, effect));
    },
    actionClasses() {
      if (!classesKnown) classes = classesOfTurns(vocabulary.length, maxTokens, endToken, rules.parse);
      classesKnown = true;
      return classes;
    },
    // The other rewards have no bounds as simple as these.
    returnBounds({ task, over }) {
      if (o.reward !== "outcome") return undefined;
      if (over) return { least: 0, most: 0 };
      const lost = rules.isLost?.(task) === true;
      return { least: lost && o.turnCost === 0 ? 0 : -Infinity, most: (lost ? 0 : 1) - o.turnCost };
    },
    render: (state) =>
      `turn ${state.turn} of ${turnLimit}${state.over && `, ${state.over}`}\n${rules.render(state.task)}`,
  };
}
