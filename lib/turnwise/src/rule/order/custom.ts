import { restoreRng, type Rng } from "../../base/rng";
import type { ValueOf } from "../../schema";
import { callCustom, named, customFunction } from "../custom/customFunction";
import { expectRepeats } from "../custom/customRepeats";
import { shown } from "../custom/customShown";
import { order, turnByTurnFields, type Order } from "./contract";

/**
 * The turns 0, 1, ... of a batch in, the sets that are updated one after the other out; a bare number is a set of one.
 * A turn may be left out, and is then not updated. `rng` is the update's own generator.
 */
export type OrderFunction = (turns: readonly number[], rng: Rng) => readonly (number | readonly number[])[];

const fields = {
  by: customFunction<OrderFunction>("The function: turns in, sets of turns out."),
  ...turnByTurnFields,
};

type Own = ValueOf<typeof fields>;

const field = "order";

/** For one choice, since a schedule is drawn without its knobs. */
export const customOrder = (o: Pick<Own, "by"> | undefined): Order<typeof fields> =>
  order({
    help: "A function of your own: turns in, sets of turns out.",
    equation: String.raw`f(1,\dots,T)`,
    source: "yours",
    fields,
    turnByTurn: true,
    sets: (turns, rng) => setsOf(o!, turns, rng!),
  });

function setsOf(o: Pick<Own, "by">, turns: readonly number[], rng: Rng): number[][] {
  expectRepeats(field, o, () => callCustom(field, o, [...turns], restoreRng(rng.state())));
  const given: unknown = callCustom(field, o, [...turns], rng);
  const refuse = (found: string): never => {
    throw new TypeError(
      `Cannot apply ${named(field, o)}: it must return sets of the turns ${turns.join(", ")}, each turn at most once, but ${found}.`,
    );
  };
  if (!Array.isArray(given)) return refuse(`it returned ${shown(given)}`);
  const seen = new Set<unknown>();
  const sets = (given as unknown[]).map((set, place): number[] => {
    const members: unknown[] =
      typeof set === "number" ? [set] : Array.isArray(set) ? set : refuse(`set ${place} is ${shown(set)}`);
    for (const t of members) {
      if (!turns.includes(t as number)) refuse(`set ${place} has turn ${shown(t)}`);
      if (seen.has(t)) refuse(`turn ${shown(t)} comes twice`);
      seen.add(t);
    }
    return members as number[];
  });
  return sets.filter((set) => set.length > 0);
}
