// Prints the rows of the table in test/README.md from the results of `npm run mutants`.
//
//   node test/mutants/summary.mjs [--files] [--survivors] [part of a path ...]
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

export const resultsFolder = "build/mutants/results";
const explanations = JSON.parse(readFileSync(new URL("equivalent.json", import.meta.url), "utf8"));

const oneLine = (text) => text.replace(/\s+/g, " ").trim();

/** The text that a mutant replaces, and the line on which it begins. */
function original(source, { start, end }) {
  const lines = source.split("\n");
  const part = lines.slice(start.line - 1, end.line);
  part[part.length - 1] = part.at(-1).slice(0, end.column - 1);
  part[0] = part[0].slice(start.column - 1);
  return { from: oneLine(part.join("\n")), line: lines[start.line - 1].trim() };
}

const fits = (entry, mutant) =>
  entry.file === mutant.file &&
  entry.to === mutant.to &&
  (entry.from.endsWith(" ...")
    ? mutant.from.startsWith(entry.from.slice(0, -4))
    : entry.from === mutant.from) &&
  (entry.line === undefined || entry.line === mutant.line);

const lived = ({ status }) => status === "Survived" || status === "NoCoverage";

/** All mutants of a report; one that lived and that equivalent.json explains has the status "Equivalent". */
export function mutantsOf(report) {
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ location, replacement, status, mutatorName }) => {
      const mutant = {
        file,
        at: `${file}:${location.start.line}:${location.start.column}`,
        ...original(source, location),
        to: oneLine(replacement ?? mutatorName),
        status,
      };
      const explained = lived(mutant) && explanations.find((entry) => fits(entry, mutant));
      return explained ? { ...mutant, status: "Equivalent" } : mutant;
    }),
  );
}

/** Explanations of the files in this report that fit no mutant which lived. */
export function idle(mutants) {
  const files = new Set(mutants.map(({ file }) => file));
  const explained = mutants.filter(({ status }) => status === "Equivalent");
  return explanations.filter(
    (entry) => files.has(entry.file) && !explained.some((mutant) => fits(entry, mutant)),
  );
}

/** Where the mutants that lived are, what each replaced, and by what. */
export function describeLived(mutants) {
  return mutants
    .filter(lived)
    .map(
      ({ at, from, to, status }) => `\n${at} ${status}\n  - ${from.slice(0, 200)}\n  + ${to.slice(0, 200)}`,
    )
    .join("\n");
}

/** One row: equivalent mutants count neither for nor against the score. */
function row(name, mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  // A file of tests that a mutant keeps from loading is a "RuntimeError": nobody would overlook that either.
  const killed = count("Killed", "RuntimeError");
  const [late, equivalent] = [count("Timeout"), count("Equivalent")];
  const [survived, uncovered] = [count("Survived"), count("NoCoverage")];
  const judged = killed + late + survived + uncovered;
  const score = judged === 0 ? "-" : `${((100 * (killed + late)) / judged).toFixed(1)} %`;
  return [name, judged + equivalent, killed, late, equivalent, survived, uncovered, score];
}

/** The table as Markdown, a row for each room or for each file, and the sum where there are several. */
export function table(mutants, nameOf = ({ file }) => `\`${file.split("/").slice(2, 3)}/\``) {
  const names = [...new Set(mutants.map(nameOf))].sort();
  const rows = names.map((name) =>
    row(
      name,
      mutants.filter((mutant) => nameOf(mutant) === name),
    ),
  );
  if (rows.length > 1) rows.push(row("together", mutants));
  const head = ["room", "mutants", "killed", "timed out", "equivalent", "survived", "not covered", "score"];
  return [head, head.map((_, i) => (i === 0 ? "---" : "--:")), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { files: { type: "boolean" }, survivors: { type: "boolean" } },
  });
  const folder = fileURLToPath(new URL(`../../${resultsFolder}`, import.meta.url));
  const results = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs)
    .map((file) => JSON.parse(readFileSync(file, "utf8")));
  // Where a file was measured in several runs, the newest counts.
  const files = Object.assign({}, ...results.map((result) => result.files));
  const mutants = mutantsOf({ files }).filter(
    ({ file }) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
  );
  console.log(
    values.files ? table(mutants, ({ file }) => file.replace("lib/turnwise/src/", "")) : table(mutants),
  );
  if (values.survivors) console.log(describeLived(mutants));
  for (const { file, from, to } of idle(mutants))
    console.error(`\nequivalent.json: no mutant of ${file} that lived replaces "${from}" by "${to}"`);
}
