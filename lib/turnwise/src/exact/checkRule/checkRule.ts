import { recipe, type Recipe, type RecipeNameInput } from "../../rule";
import { batchSize } from "./batchSize";
import { critic } from "./critic";
import { EQUAL, equalRewards } from "./equalRewards";
import { expectedStep } from "./expectedStep";
import { extremeRatios, LIMIT } from "./extremeRatios";
import { checkNames, type Check, type CheckName, type Finding } from "./finding";
import { gradient } from "./gradient";
import { groupOfOne, SINGLE } from "./groupOfOne";
import { groups } from "./groups";
import { maskedCells } from "./maskedCells";
import { oneStep } from "./oneStep";
import { padding } from "./padding";
import { push } from "./push";
import { askNow } from "./repeats";
import { regularizers } from "./regularizers";
import { rewards } from "./rewards";
import { rowOrder } from "./rowOrder";
import { RuleCard } from "./ruleCard";

const checks: Readonly<Record<Exclude<CheckName, "repeats">, Check>> = {
  gradient,
  "masked cells": maskedCells,
  padding,
  "row order": rowOrder,
  "batch size": batchSize,
  rewards,
  groups,
  push,
  regularizers,
  critic,
  "equal rewards": equalRewards,
  "group of one": groupOfOne,
  "extreme ratios": extremeRatios,
  "expected update": expectedStep,
  "one step": oneStep,
};

/**
 * Checks a rule, built in or your own, on small games in which every group of trajectories can be listed.
 *
 * ```
 * the formula   gradient against finite differences, masked cells, padding, order of rows, size of the batch
 * the credit    what a reward moves, how an advantage pushes a token, what is left without one, groups of equal rewards
 * the return    E[update] over all groups beside grad J: cosine, bias, wrong signs; J after one step, with a counterexample
 * the function  whether it gives the same numbers again at the end
 * ```
 *
 * A cross is a fault: the rule breaks a promise that every rule keeps. Bias is not a fault but a figure. If a custom function's
 * expected update is farther from the gradient than that of any built-in rule, the card notes it with `!`: that may be a bad
 * idea, or a mistake that breaks no promise. `passed` is whether there is no cross; `failed` and `noted` list the checks.
 * The same row gives the same card: expectations are sums over every composition of a group, and seeds are fixed.
 *
 * @throws {RangeError} if there is no recipe of that name
 * @example
 * import { checkRule, custom, recipe } from "turnwise";
 * const row = recipe("rloo", { advantage: custom("backwards", (batch) => batch.return_n.map((R) => -R)) });
 * checkRule(row).failed; // => ["groups", "expected update"]
 * const rank = recipe("rloo", {
 *   advantage: custom("rank", (batch) =>
 *     batch.return_n.map((R, n) => {
 *       const others = batch.return_n.filter((_, m) => batch.groupId[m] === batch.groupId[n]);
 *       return others.filter((x) => x < R).length - others.filter((x) => x > R).length;
 *     }),
 *   ),
 * });
 * const { passed, noted } = checkRule(rank);
 * [passed, noted]; // => [true, ["expected update"]]
 */
export function checkRule(of: RecipeNameInput | Recipe): RuleCard {
  const rule = typeof of === "string" ? recipe(of) : of;
  const thrown = new Map<string, CheckName>();
  const askAgain = askNow(rule);
  return new RuleCard(
    rule,
    checkNames.map((name) => found(name, name === "repeats" ? askAgain : checks[name], rule, thrown)),
  );
}

/** Why a rule throws, where a check knows. */
const hints: Partial<Record<CheckName, string>> = {
  "equal rewards": EQUAL,
  "group of one": SINGLE,
  "extreme ratios": LIMIT,
};

/**
 * Turns an exception of a rule into a fault, reported once: by the check that it is about, or else by the first that
 * meets it.
 *
 * @param thrown messages without their numbers, and who told them
 */
function found(check: CheckName, run: Check, rule: Recipe, thrown: Map<string, CheckName>): Finding {
  try {
    return run(rule);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const key = message.replace(/[\d.]+/g, "");
    if (/masked/.test(message)) thrown.set(key, "masked cells");
    const by = thrown.get(key) ?? check;
    thrown.set(key, by);
    if (by === check) {
      const hint = hints[check];
      return {
        check,
        verdict: "failed",
        sentence: message,
        ...(hint !== undefined && { hint }),
        figures: {},
      };
    }
    return { check, verdict: "told", sentence: `Not run: the rule throws, see "${by}".`, figures: {} };
  }
}
