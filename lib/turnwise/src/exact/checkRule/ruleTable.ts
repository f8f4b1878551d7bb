import { betweenMarkers } from "../../base/betweenMarkers";
import { markdownTable } from "../../base/markdownTable";
import { recipeNames } from "../../rule";
import { checkRule } from "./checkRule";
import type { CheckName, Finding } from "./finding";
import type { RuleCard } from "./ruleCard";

/** A rule that pays no reward of the task has no such cosine. */
const cosine = (card: RuleCard, game: string): string => {
  const found = card.of("expected update").figures[`cosine, ${game}`];
  return found === undefined ? "–" : String(Number(found.toFixed(4)));
};

/** Notes in addition to the columns: sentences of checks that found a fact. */
const further: readonly CheckName[] = ["padding", "regularizers", "critic", "extreme ratios"];

const columns: Readonly<Record<string, (card: RuleCard) => string>> = {
  recipe: ({ row: rule }) => `\`${rule.name}\``,
  "look up": (card) => cosine(card, "look up"),
  "two jobs": (card) => cosine(card, "two jobs"),
  jackpot: (card) => cosine(card, "jackpot"),
  "J fell": (card) => {
    const { games, "J fell": fell } = card.of("one step").figures;
    return games === 0 ? "–" : `${fell!} of ${games!}`;
  },
  "what is known": (card) => {
    const update = card.of("expected update");
    const aim = update.hint ?? update.sentence;
    const told = further.map((check) => card.of(check)).filter(({ verdict }) => verdict === "told");
    return [aim, card.of("groups").sentence, ...told.map(({ sentence }) => sentence)].join(" ");
  },
};

/** The cards of all built-in rules, in the order of their table. */
export const ruleCards = (): RuleCard[] => recipeNames.map((name) => checkRule(name));

/**
 * The cards of all built-in rules as one Markdown table, between the markers of the folder's README.
 *
 * @throws {RangeError} if a marker is missing
 * @public
 */
export function withRuleTable(text: string, cards: readonly RuleCard[] = ruleCards()): string {
  const rows = cards.map((card) => Object.values(columns).map((cell) => cell(card)));
  return betweenMarkers(text, "cards", markdownTable(Object.keys(columns), rows));
}

/** A rule's findings, as a line of datasets/measured/rule-checks.jsonl stores them: in words, without their figures. */
export interface StoredChecks {
  readonly rule: string;
  readonly findings: readonly Omit<Finding, "figures">[];
}

/**
 * The text of datasets/measured/rule-checks.jsonl.
 *
 * @public
 */
export function ruleChecks(cards: readonly RuleCard[]): string {
  const lines = cards.map(({ row: rule, findings }): StoredChecks => ({
    rule: rule.name,
    findings: findings.map(({ figures: _, ...words }) => words),
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
