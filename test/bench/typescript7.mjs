// How long TypeScript 7 takes to check a cell, next to the kernel's engine on TypeScript 5, in turns in one process:
//   npm install --prefix /tmp/typescript7 typescript@7.0.2
//   npm run build && node test/bench/typescript7.mjs /tmp/typescript7
// Both know the declarations of all earlier cells. TypeScript 7 is asked by its synchronous interface, whose files are the functions
// below; nothing is written to the disk.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";

const CELLS = 60;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Cannot measure TypeScript 7: name the folder in which npm has installed it.");
  process.exit(2);
}
const installed = createRequire(path.join(path.resolve(folder), "x.js"));
const { API } = await import(pathToFileURL(installed.resolve("typescript/unstable/sync")).href);
const kernel = createRequire(new URL("../../kernel/dist/types/x.js", import.meta.url));
kernel("./node-host.js").useNode();
const { LanguageServiceEngine } = kernel("./language-service.js");

/** A cell uses what the one before it declares, a standard library and a closure; every tenth one is wrong. */
const cellOf = (i) =>
  `const total${i} = ${i === 0 ? "1" : `total${i - 1}`} + ${i};\n` +
  `function scale${i}(x: number[]): number { return x.map((a) => a * total${i}).reduce((a, b) => a + b, 0); }\n` +
  `[1, 2].map((q) => q.toFixed(${i % 9}));\n` +
  (i % 10 === 9 ? `const wrong${i}: string = total${i};\n` : "");
const declarationOf = (i) =>
  `declare const total${i}: number;\ndeclare function scale${i}(x: number[]): number;\n`;

const files = new Map([
  [
    "/nb/tsconfig.json",
    JSON.stringify({
      compilerOptions: {
        strict: true,
        module: "nodenext",
        target: "es2022",
        lib: ["es2023"],
        types: [],
        noEmit: true,
      },
      files: ["earlier.d.ts", "cell.ts"],
    }),
  ],
  ["/nb/earlier.d.ts", ""],
  ["/nb/cell.ts", "export {};\n"],
]);
const inside = (file) => file.startsWith("/nb/");
const api = new API({
  cwd: "/nb",
  fs: {
    readFile: (file) => files.get(file) ?? (inside(file) ? null : undefined),
    fileExists: (file) => (inside(file) ? files.has(file) : undefined),
    directoryExists: (name) => (name === "/nb" ? true : undefined),
  },
});
let snapshot = api.updateSnapshot({ openProject: "/nb/tsconfig.json" });

function checkWith7(source) {
  files.set("/nb/cell.ts", `export {};\n${source}`);
  snapshot = api.updateSnapshot({ fileChanges: { changed: ["/nb/earlier.d.ts", "/nb/cell.ts"] } });
  const { program } = snapshot.getProjects()[0];
  return [
    ...program.getSyntacticDiagnostics("/nb/cell.ts"),
    ...program.getSemanticDiagnostics("/nb/cell.ts"),
  ];
}

const cwd = mkdtempSync(path.join(os.tmpdir(), "turnwise-types-"));
const engine = new LanguageServiceEngine(cwd);
const times = { 5: [], 7: [] };
for (let i = 0; i < CELLS; i++) {
  const source = cellOf(i);
  const begun = performance.now();
  const found5 = engine.check(source);
  const between = performance.now();
  const found7 = checkWith7(source);
  times[5].push(between - begun);
  times[7].push(performance.now() - between);
  const codes = [found5, found7].map((found) => found.map(({ code }) => code).join());
  if (codes[0] !== codes[1])
    throw new Error(`cell ${i}: TypeScript 5 finds ${codes[0]}, 7 finds ${codes[1]}`);
  engine.commit(source);
  files.set("/nb/earlier.d.ts", files.get("/nb/earlier.d.ts") + declarationOf(i));
}
engine.close();
api.close();
rmSync(cwd, { recursive: true });

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
for (const [version, of] of Object.entries(times))
  console.log(
    `TypeScript ${version}: first cell ${of[0].toFixed(0)} ms, median of cells 10 to ${CELLS} ${median(of.slice(9)).toFixed(1)} ms`,
  );
