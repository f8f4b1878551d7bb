import { checkCard } from "../base/checkCard";
import type { MimeBundle } from "../base/display";
import { displaySymbol } from "../base/display";
import { escapeHtml } from "../base/escapeHtml";
import type { Policy } from "./policy";

/** Behavior of a policy after some context: the words it may write first, each with its probability. */
export interface ShownContext {
  readonly context: string;
  readonly words: readonly { readonly word: string; readonly probability: number }[];
}

/** Of the words after a context, so many are told: the likeliest. */
const WORDS = 4;

/** A policy as a notebook shows it: its parameters by name, with their shapes, and what it does in a few contexts. */
export function showPolicy(policy: Policy, contexts: readonly ShownContext[] = []): MimeBundle {
  const rows = policy.parameterTable?.() ?? [];
  const { length } = policy.parameters;
  const grows = policy.name === "tabular";
  return checkCard({
    title: `Policy ${policy.name}`,
    about: `${length} parameters`,
    rows: rows.map(({ name, shape, count }, i) => ({
      name,
      ok: null,
      figure: `${shape.join(" x ")}${shape.length > 1 ? ` = ${count}` : ""}`,
      ...(grows && i === 0 && { hint: "A row is added for every context that is met." }),
    })),
    ...(contexts.length > 0 && {
      picture: { html: contexts.map(contextHtml).join(""), text: contexts.map(contextText).join("\n") },
    }),
  })[displaySymbol]();
}

const likeliest = ({ words }: ShownContext): ShownContext["words"] =>
  [...words].sort((a, b) => b.probability - a.probability).slice(0, WORDS);

function contextText(shown: ShownContext): string {
  const words = likeliest(shown).map(({ word, probability }) => `${word} ${probability.toFixed(2)}`);
  return `after "${shown.context}" it writes ${words.join(", ")}`;
}

/** Bars as long as the probabilities, in a blue that is readable on light and on dark pages. */
function contextHtml(shown: ShownContext): string {
  const bars = likeliest(shown).map(
    ({ word, probability }) =>
      `<div style="display:flex;align-items:center;gap:.5em"><span style="min-width:9em">${escapeHtml(word)}</span>` +
      `<span style="display:inline-block;height:.8em;width:${(probability * 12).toFixed(2)}em;min-width:1px;background:#4080E0"></span>` +
      `<span>${probability.toFixed(2)}</span></div>`,
  );
  return `<div style="margin:.5em 0"><div>after <code>${escapeHtml(shown.context)}</code></div>${bars.join("")}</div>`;
}
