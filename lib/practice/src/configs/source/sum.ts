/** The value of whole numbers with + - * / % and parentheses; undefined for all else. */
export function valueOfSum(text: string): string | undefined {
  const tokens = text.match(/\d+|[-+*/%()]|\S/g) ?? [];
  let at = 0;
  const factor = (): number => {
    const token = tokens[at++];
    if (token === "(") {
      const inner = sum();
      return tokens[at++] === ")" ? inner : NaN;
    }
    if (token === "-") return -factor();
    return token !== undefined && /^\d+$/.test(token) ? Number(token) : NaN;
  };
  const product = (): number => {
    let value = factor();
    while (["*", "/", "%"].includes(tokens[at] ?? "")) {
      const operator = tokens[at++];
      const by = factor();
      value = operator === "*" ? value * by : operator === "/" ? Math.trunc(value / by) : value % by;
    }
    return value;
  };
  const sum = (): number => {
    let value = product();
    while (tokens[at] === "+" || tokens[at] === "-") value += tokens[at++] === "+" ? product() : -product();
    return value;
  };
  const value = sum();
  return at === tokens.length && Number.isFinite(value) ? String(value) : undefined;
}
