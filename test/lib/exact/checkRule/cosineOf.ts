import type { RuleCard } from "turnwise/exact";

/** The cosines of a card, to the digits that single precision leaves. */
export function cosineOf(card: RuleCard): string[] {
  return Object.entries(card.of("expected update").figures)
    .filter(([name]) => name.startsWith("cosine"))
    .map(([name, value]) => `${name}: ${value.toFixed(5)}`);
}
