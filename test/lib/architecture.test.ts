import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, normalize, relative } from "node:path";
import ts from "typescript";

/** Lower folders know nothing of higher ones. */
const RANK: Readonly<Record<string, number>> = {
  tensor: 0,
  monitor: 0,
  tree: 0,
  env: 1,
  policy: 1,
  rollout: 2,
  rule: 3,
  exact: 4,
  train: 5,
  sweep: 6,
  plot: 7,
  exercise: 8,
  play: 8,
};

/** The layout of a batch is data that everybody reads; only collecting one stands on policies and environments. */
const LAYOUT = /^rollout\/(batch|cells|select)$/;

const root = join(__dirname, "..", "..", "..");
const source = join(root, "lib", "src");

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

function imports(): Import[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".ts"));
  return files.flatMap((file) => {
    const text = readFileSync(join(source, file), "utf8");
    const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    return parsed.statements.flatMap((s): Import[] => {
      if (!(ts.isImportDeclaration(s) || ts.isExportDeclaration(s)) || !s.moduleSpecifier) return [];
      const typeOnly = ts.isImportDeclaration(s) ? (s.importClause?.isTypeOnly ?? false) : s.isTypeOnly;
      return [{ file, target: (s.moduleSpecifier as ts.StringLiteral).text, typeOnly }];
    });
  });
}

const folder = (path: string): string => path.split(/[\\/]/)[0]!;

describe("architecture of lib/", () => {
  const all = imports();

  it("imports values only from folders below", () => {
    const wrong = all.filter(({ file, target, typeOnly }) => {
      if (typeOnly || !target.startsWith(".") || !file.includes("/") || target.includes("/vendor/"))
        return false;
      const path = relative(".", normalize(join(dirname(file), target)));
      if (LAYOUT.test(path)) return false;
      const to = folder(path);
      const from = folder(file);
      return from !== to && (RANK[to] ?? Infinity) >= RANK[from]!;
    });
    assert.deepEqual(wrong, []);
  });

  it("knows every folder's place", () => {
    const folders = new Set(
      all
        .map(({ file }) => file)
        .filter((f) => f.includes("/"))
        .map(folder),
    );
    assert.deepEqual(
      [...folders].filter((f) => !(f in RANK)),
      [],
    );
  });

  it("uses Node's own modules in sweep/ and file I/O alone, so that the rest can run in a browser", () => {
    const node = all.filter(({ target }) => target.startsWith("node:") || builtinModules.includes(target));
    const allowed = /^(sweep\/|[a-zA-Z]+\/(files?|io|nativeBackend)\b)/;
    assert.deepEqual(
      node.filter(({ file }) => !allowed.test(file)),
      [],
    );
  });

  it("never imports the kernel", () => {
    assert.deepEqual(
      all.filter(({ target }) => /turnwise-kernel|kernel\//.test(target)),
      [],
    );
  });
});
