import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { format } from "prettier";
import { root } from "../paths.js";
import { span } from "../report/position.js";
import { parts, type Part } from "./parts.js";

const file = path.join(root, "test", "MATRIX.md");

const head = `# The matrix

What runs by command and every week, because it takes too long to run before each change. \`npm run test:matrix\` runs all parts, and
\`npm run test:matrix -- engines tables\` those that are named; each run writes its row here.
A commit with \`+\` had uncommitted changes.

| part | what it shows | result | took | date | commit |
| --- | --- | --- | --- | --- | --- |
`;

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** The commit that is checked out, with a plus if files differ from it. */
function commit(): string {
  try {
    const changed = git("status", "--porcelain", "--", ":!test/MATRIX.md") !== "";
    return git("rev-parse", "--short=8", "HEAD") + (changed ? "+" : "");
  } catch {
    return "unknown";
  }
}

/** The last four cells of each part's row as the file has it. */
function known(): Map<string, string> {
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  const rows = [...text.matchAll(/^\| (\S+) +\|[^|]*\|(.*)\|$/gm)];
  return new Map(rows.map(([, name, rest]) => [name!, rest!.trim()]));
}

/** Writes the row of a part that has run. */
export async function record(part: Part, said: string, ms: number): Promise<void> {
  const rows = known();
  const date = new Date().toISOString().slice(0, 10);
  rows.set(part.name, [said, span(ms), date, commit()].join(" | "));
  const lines = parts.map(
    ({ name, what }) => `| ${name} | ${what} | ${rows.get(name) ?? "not run yet | | |"} |`,
  );
  fs.writeFileSync(
    file,
    await format(head + lines.join("\n") + "\n", { parser: "markdown", printWidth: 110 }),
  );
}
