const unseen = new WeakMap<object, number>();
let count = 0;

/** The text of a function. One that shows none, such as a bound function, gets a text that no other has. */
export function functionText(f: object): string {
  const text = String(f);
  if (!/\{\s*\[native code\]\s*\}$/.test(text)) return text;
  if (!unseen.has(f)) unseen.set(f, ++count);
  return `${text} ${unseen.get(f)!}`;
}

/** Data with functions in it as text: two such texts are equal if the data are, and the functions read the same. */
export function textOfData(value: unknown): string {
  if (typeof value === "function") return functionText(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "undefined";
  const entries = Object.entries(value).map(([key, item]) => `${key}: ${textOfData(item)}`);
  return `{ ${entries.join(", ")} }`;
}
