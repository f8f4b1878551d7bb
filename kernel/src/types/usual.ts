import ts from "typescript";
import type { TypeEngine } from "./engine.js";

/** Declarations that many cells use. */
const usual = `
const list: number[] = [1, 2]; list.length; list.map((x) => x + 1).filter(Boolean).reduce((a, b) => a + b, 0); list.push(3);
for (const [i, x] of list.entries()) console.log(i, x, \`\${x}\`.padStart(3).split(",").join(), x.toFixed(2));
const table = new Map<string, number>(); table.set("a", 1); table.get("a"); new Set([1]).has(1); [...table.keys()].sort();
const text = JSON.stringify(Object.entries({ a: 1 })); text.slice(1).trim().replace(/a/g, "b"); JSON.parse(text);
async function wait() { await new Promise((resolve) => setTimeout(resolve, 1)); return Promise.all([1]); }
await wait(); Math.max(1, Math.random()); Date.now(); performance.now(); Array.from({ length: 3 }, (_, i) => i).forEach(String);
const floats = new Float32Array(3); floats[0] = 1; new Float64Array(3).fill(0); new Date().toISOString(); "a".repeat(3); try { throw new Error("no"); } catch (error) { console.error(error); }
`;

/** Asks what most notebooks ask: what that needs of the libraries wakes, and the code that answers is compiled. */
export function askUsual(engine: TypeEngine): void {
  engine.check(usual);
  engine.commit(usual);
  withoutLocales(() => {
    for (const code of ["const own = { policy: 1, step() {} }; own.po", "list.", "con"]) {
      engine.complete(code, code.length);
    }
  });
}

/** A completion is sorted by the locale, and TypeScript keeps what does that, which no snapshot can hold. */
function withoutLocales(act: () => void): void {
  const { Collator } = Intl;
  const { setUILocale } = ts as unknown as { setUILocale(locale: string | undefined): void };
  const plain = { compare: (a: string, b: string) => (a < b ? -1 : Number(a > b)) };
  Object.assign(Intl, {
    Collator: function () {
      return plain;
    },
  });
  try {
    act();
  } finally {
    Object.assign(Intl, { Collator });
    // It forgets how it sorts when the locale changes.
    setUILocale("en");
    setUILocale(undefined);
  }
}
