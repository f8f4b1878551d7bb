/** The literals that are passed to `GRPOConfig(...)` or `RLOOConfig(...)` in Python; undefined where neither is called. */
export function pythonArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  const call = /\b(?:GRPO|RLOO)Config\(/.exec(text);
  if (call === null) return undefined;
  const flags: Record<string, unknown> = {};
  const argument = /(?:^|[,(\n])\s*([A-Za-z_]\w*)\s*=\s*("[^"\n]*"|'[^'\n]*'|[-+\w.]+)\s*(?=[,)\n#])/g;
  for (const [, name, value] of text.slice(call.index, endOf(text, call.index)).matchAll(argument)) {
    const literal = literalOf(value!);
    if (literal !== undefined) flags[name!] = literal;
  }
  return flags;
}

/** Where the parenthesis closes that is opened after `from`. */
function endOf(text: string, from: number): number {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    if (text[i] === "(") depth += 1;
    if (text[i] === ")" && --depth === 0) return i + 1;
  }
  return text.length;
}

function literalOf(text: string): unknown {
  if (/^["']/.test(text)) return text.slice(1, -1);
  if (text === "None") return null;
  if (text === "True" || text === "False") return text === "True";
  const value = Number(text.replace(/_/g, ""));
  return Number.isNaN(value) ? undefined : value;
}
