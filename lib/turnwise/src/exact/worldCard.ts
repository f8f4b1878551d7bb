import { square } from "../base/elementary/square";
import { checkCard, type CheckCard, type CheckRow } from "../base/checkCard";
import { createRng, type Rng } from "../base/rng";
import { mean } from "../base/statistics";
import { make } from "../env";
import { factsOf, startPicture } from "../env/card";
import { checkEnv } from "../env/checkEnv";
import { isEnumerable, type Env } from "../env/env";
import { optimalReturn } from "./optimalReturn";
import { randomReturn } from "./score";

/** Solving so many information states takes some seconds. */
const MOST_BELIEFS = 20_000;
const EPISODES = 1000;

/**
 * A world at a glance: whether it keeps its contract, what an agent may write, and the exact returns of the best and of the
 * random agent.
 *
 * A world that is too large to enumerate, or that lists no outcomes, says so; its random return is then a mean over a thousand
 * episodes.
 *
 * @param o.maxBeliefs how many information states are solved before it gives up (20 000)
 * @throws {EnvContractError} if the world breaks its contract: the sentence of `checkEnv`
 * @throws {RangeError} if the id is unknown
 * @example
 * import { worldCard } from "turnwise/exact";
 * worldCard("LookUp-v0").ok; // => true
 */
export function worldCard(world: string | Env, o: { readonly maxBeliefs?: number } = {}): CheckCard {
  const env = typeof world === "string" ? make(world) : world;
  checkEnv(env);
  const optimum = optimumOf(env, o.maxBeliefs ?? MOST_BELIEFS);
  const random = randomOf(env);
  const { spec } = env;
  return checkCard({
    title: spec.id,
    about: spec.skill,
    rows: [
      { name: "keeps the contract", ok: true, figure: "checkEnv finds nothing wrong" },
      ...factsOf(env),
      optimum.row,
      random.row,
      ...room(optimum.value, random),
    ],
    ...startPicture(env),
  });
}

/** A card that opens at every look at a world must not wait: so many information states take some tenths of a second. */
const GLANCE = 1000;
const optima = new WeakMap<Env, CheckRow[]>();

/** Facts about the best agent on the card of every world. */
export function optimumAtAGlance(env: Env): CheckRow[] {
  const known = optima.get(env);
  if (known) return known;
  const { row, value } = optimumOf(env, GLANCE);
  const rows: CheckRow[] = [
    value === undefined && isEnumerable(env)
      ? {
          ...row,
          figure: "not solved at a glance",
          hint: `worldCard("${env.spec.id}") of turnwise/exact takes its time.`,
        }
      : row,
  ];
  optima.set(env, rows);
  return rows;
}

interface Return {
  readonly row: CheckRow;
  readonly value: number;
  readonly exact?: boolean;
}

function optimumOf(env: Env, maxBeliefs: number): { row: CheckRow; value: number | undefined } {
  const name = "the best agent gets";
  const tooLarge = (hint: string): { row: CheckRow; value: undefined } => ({
    row: { name, ok: null, figure: "unknown", hint },
    value: undefined,
  });
  if (!isEnumerable(env)) return tooLarge("The world lists no outcomes: start and transition are missing.");
  try {
    const optimum = optimalReturn(env, { maxBeliefs });
    const first = env.start()[0]!.observation;
    const turn = optimum.act({ observations: [first], actions: [] }).map((v) => env.spec.vocabulary[v]);
    const after = first.text.includes("\n") ? "" : ` after "${shortened(first.text)}"`;
    const agents = env.spec.agents?.length ?? 1;
    const hint =
      `A best first turn${after} is "${turn.join(" ")}".` +
      (agents > 1
        ? ` It is the optimum of full information: of one agent that sees what each of the ${agents} agents sees. Where some see less, they may not reach it.`
        : "");
    const solved = `${optimum.beliefs} information state${optimum.beliefs === 1 ? "" : "s"}`;
    return {
      row: { name, ok: null, figure: `${decimals(optimum.J)}, exactly, by solving ${solved}`, hint },
      value: optimum.J,
    };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return tooLarge(`Too large to enumerate. ${error.message}.`);
  }
}

function randomOf(env: Env): Return {
  const name = "the random agent gets";
  if (isEnumerable(env)) {
    try {
      const value = randomReturn(env);
      return { row: { name, ok: null, figure: `${decimals(value)}, exactly` }, value, exact: true };
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  const { mean, standardError } = play(env, createRng(0).split("worldCard"));
  const figure = `${decimals(mean)} ± ${decimals(standardError)}, the mean of ${EPISODES} episodes and its standard error`;
  return { row: { name, ok: null, figure }, value: mean };
}

/** A rule can only show that it works where the best agent gets more than the random one. */
function room(optimal: number | undefined, random: Return): CheckRow[] {
  if (optimal === undefined) return [];
  const gap = optimal - random.value;
  if (gap > 1e-9) return [{ name: "there is something to learn", ok: true, figure: decimals(gap) }];
  const hint = "Give a reward that depends on what the agent writes.";
  return [{ name: "there is something to learn", ok: false, figure: "random is best", hint }];
}

function play(env: Env, rng: Rng): { mean: number; standardError: number } {
  const returns = Array.from({ length: EPISODES }, (_, episode) => {
    const draws = rng.split("episode", episode);
    env.reset({ seed: episode });
    let total = 0;
    for (let turn = 0; turn < env.spec.maxTurns; turn++) {
      const [, reward, terminated, truncated] = env.step(env.actionSpace.sample(draws));
      total += reward;
      if (terminated || truncated) break;
    }
    return total;
  });
  const center = mean(returns);
  const squares = returns.reduce((sum, x) => sum + square(x - center), 0);
  return { mean: center, standardError: Math.sqrt(squares / (EPISODES - 1) / EPISODES) };
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}...` : text);

/** As many decimals as you need to check it by hand, at most four. */
const decimals = (x: number): string => String(Number(x.toFixed(4)) + 0);
