/** Texts shorter than this are copied by V8, longer ones remember what they were cut from. */
const shortestPart = 13;

/**
 * Cuts the names that objects hold loose from the texts they were read from. V8 makes a part of a text by pointing into it: one
 * name would keep a library's text in memory. As the name of a property a text stands alone, and whoever has the part has that.
 */
export function letNamesStandAlone(roots: readonly object[]): void {
  const names: Record<string, true> = {};
  const seen = new Set<object>(roots);
  const waiting = [...roots];
  const meet = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.length >= shortestPart) names[value] = true;
    } else if (typeof value === "object" && value !== null && !seen.has(value)) {
      seen.add(value);
      waiting.push(value);
    }
  };
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (one instanceof Map) {
      for (const [key, value] of one as Map<unknown, unknown>) {
        meet(key);
        meet(value);
      }
    }
    // What is late stays so.
    for (const key of Reflect.ownKeys(one)) {
      const property = Object.getOwnPropertyDescriptor(one, key)!;
      if ("value" in property) meet(property.value);
    }
  }
}
