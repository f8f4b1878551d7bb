/** Output of a program, or the error that stopped it. */
export type Run = { readonly printed: string } | { readonly error: string };

/**
 * Runs one line on a hidden code:
 *
 * ```
 * count d1 ... dn     prints in how many places the code is d1 ... dn
 * has d               prints True if d is somewhere in the code, else False
 * less i d            prints True if code[i] < d, else False; i counts from 0
 * ```
 *
 * Errors have the names and the manner of a Python interpreter's.
 */
export function interpret(words: readonly string[], code: readonly number[], digits: number): Run {
  const [name, ...given] = words;
  const arity = { count: code.length, has: 1, less: 2 }[name!];
  if (name === undefined) return { error: "SyntaxError: nothing to run" };
  if (arity === undefined) return { error: "SyntaxError: a line starts with count, has or less" };
  const stray = given.find((word) => !/^\d$/.test(word));
  if (stray !== undefined) return { error: `TypeError: ${name}() takes digits, not '${stray}'` };
  if (given.length !== arity) {
    return { error: `TypeError: ${name}() takes ${arity} arguments but ${given.length} were given` };
  }
  const numbers = given.map(Number);
  const unknown = (name === "less" ? numbers.slice(1) : numbers).find((digit) => digit >= digits);
  if (unknown !== undefined) return { error: `ValueError: digit ${unknown} is not in range(${digits})` };
  if (name === "count") {
    return { printed: String(code.filter((digit, place) => digit === numbers[place]).length) };
  }
  if (name === "has") return { printed: truth(code.includes(numbers[0]!)) };
  const at = code[numbers[0]!];
  if (at === undefined) return { error: "IndexError: code index out of range" };
  return { printed: truth(at < numbers[1]!) };
}

function truth(value: boolean): string {
  return value ? "True" : "False";
}
