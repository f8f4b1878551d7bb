import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { inspect } from "node:util";
import ts from "typescript";
import { root } from "./paths.js";

/**
 * One `@example` of a docstring: a TypeScript module of its own, which imports what it uses.
 *
 * ```
 * import { nearest } from "turnwise";
 * nearest("group_size", ["groups", "groupSize"]); // => "groupSize"
 * ```
 * `// =>` behind an expression claims its value as a literal. A number with decimals is right if the value rounds to it.
 */
export interface DocExample {
  /** File and line of the tag, as an editor opens it. */
  readonly where: string;
  readonly file: string;
  readonly line: number;
  readonly code: string;
}

/** Every `@example` in the TypeScript files below a folder, in the order of their paths. */
export function examplesBelow(folder: string): DocExample[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .flatMap((name) => examplesIn(path.join(folder, name)));
}

function examplesIn(file: string): DocExample[] {
  const text = fs.readFileSync(file, "utf8");
  if (!text.includes("@example")) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found = new Map<number, DocExample>();
  const visit = (node: ts.Node): void => {
    for (const tag of ts.getJSDocTags(node).filter(({ tagName }) => tagName.text === "example")) {
      const line = source.getLineAndCharacterOfPosition(tag.pos).line + 1;
      const code = ts.getTextOfJSDocComment(tag.comment) ?? "";
      const where = `${path.relative(root, file)}:${line}`;
      found.set(tag.pos, { where, file, line, code: fenced(code) });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()].sort((a, b) => a.line - b.line);
}

/** The code between the fences, where an example has them; lines keep their numbers. */
function fenced(code: string): string {
  return code.replace(/^```\w*$/gm, "");
}

const tiers = /^turnwise(-practice|-course)?(?!\/internal)(\/[\w-]+)?$/;
const virtual = path.join(root, "build", "examples");

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2023.d.ts"],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ["node"],
  typeRoots: [path.join(root, "node_modules", "@types")],
  strict: true,
  noUnusedLocals: true,
  skipLibCheck: true,
  noEmit: true,
};

/** One program of all examples, each a module of its own, and the library's declarations. */
export function programOf(examples: readonly DocExample[], others: readonly string[] = []): ts.Program {
  const names = examples.map((_, i) => path.join(virtual, `${i}.ts`));
  // The last line makes a module of an example that imports nothing.
  const texts = new Map(names.map((name, i) => [name, `${examples[i]!.code}\nexport {};\n`]));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => texts.has(name) || fileExists(name);
  host.readFile = (name) => texts.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...rest) => {
    const text = texts.get(name);
    return text === undefined
      ? getSourceFile(name, ...rest)
      : ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
  };
  return ts.createProgram([...names, ...others], options, host);
}

/** What the compiler finds in the examples, each with the line of the docstring. */
export function typeErrors(program: ts.Program, examples: readonly DocExample[]): string[] {
  return examples.flatMap((example, i) => {
    const source = program.getSourceFile(path.join(virtual, `${i}.ts`))!;
    const foreign = source.statements.flatMap((statement) => foreignImport(statement, example));
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return [
      ...foreign,
      ...found.map(({ start = 0, messageText }) => {
        const line = example.line + 1 + source.getLineAndCharacterOfPosition(start).line;
        return `${path.relative(root, example.file)}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
      }),
    ];
  });
}

/** A reader has the package, not its source: examples import from its tiers and from Node. */
function foreignImport(statement: ts.Statement, { where }: DocExample): string[] {
  if (!ts.isImportDeclaration(statement)) return [];
  const { text } = statement.moduleSpecifier as ts.StringLiteral;
  return tiers.test(text) || text.startsWith("node:")
    ? []
    : [`${where}: imports "${text}", which is no tier of turnwise`];
}

/**
 * Runs an example; what it claims wrongly, or why it stopped.
 *
 * @param folder where its packages are installed
 */
export async function failuresOf(example: DocExample, folder = root): Promise<string[]> {
  const failures: string[] = [];
  const claims: ts.Expression[] = [];
  const check = (value: unknown, index: number, line: number): void => {
    const wanted = claims[index]!;
    if (!isValue(value, wanted)) {
      const place = `${path.relative(root, example.file)}:${example.line + 1 + line}`;
      failures.push(`${place}: ${wanted.getText()} is claimed, the value is ${show(value)}`);
    }
  };
  try {
    const module = ts.transpileModule(asFunction(example.code, claims), {
      compilerOptions: {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.CommonJS,
        esModuleInterop: true,
      },
    }).outputText;
    const exports: { run?: (claim: typeof check) => Promise<void> } = {};
    const silent = Object.fromEntries(Object.keys(console).map((name) => [name, () => undefined]));
    const require = createRequire(path.join(folder, "package.json"));
    new Function("exports", "require", "console", module)(exports, require, silent);
    await exports.run!(check);
  } catch (error) {
    failures.push(`${example.where}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return failures;
}

/** The example with its statements in a function, so that it may await, and a check of every claim. */
function asFunction(code: string, claims: ts.Expression[]): string {
  const source = ts.createSourceFile("example.ts", code, ts.ScriptTarget.ES2022, true);
  const imports: string[] = [];
  const body: string[] = [];
  for (const statement of source.statements) {
    const text = statement.getText();
    const claim = claimAfter(source, statement);
    if (claim !== undefined) {
      if (!ts.isExpressionStatement(statement)) {
        throw new SyntaxError(`a claim must follow an expression: "// => ${claim}" follows ${text}`);
      }
      const line = source.getLineAndCharacterOfPosition(statement.getStart()).line;
      body.push(`claim__(${statement.expression.getText()}, ${claims.push(parse(claim)) - 1}, ${line});`);
    } else (ts.isImportDeclaration(statement) ? imports : body).push(text);
  }
  const written = code.split("// =>").length - 1;
  if (written !== claims.length) {
    throw new SyntaxError(`a claim must follow an expression: only ${claims.length} of ${written} do`);
  }
  return `${imports.join("\n")}\nexport async function run(claim__: Function) {\n${body.join("\n")}\n}`;
}

/** The text after `// =>` on the last line of the statement. */
function claimAfter(source: ts.SourceFile, statement: ts.Statement): string | undefined {
  const text = source.text;
  const [comment] = ts.getTrailingCommentRanges(text, statement.end) ?? [];
  return comment && /^\/\/ => (.+)$/.exec(text.slice(comment.pos, comment.end))?.[1];
}

function parse(claim: string): ts.Expression {
  const source = ts.createSourceFile("claim.ts", `(${claim})`, ts.ScriptTarget.ES2022, true);
  const [statement] = source.statements;
  if (
    statement &&
    ts.isExpressionStatement(statement) &&
    ts.isParenthesizedExpression(statement.expression)
  ) {
    return statement.expression.expression;
  }
  throw new SyntaxError(`a claim must be a literal: "// => ${claim}"`);
}

/** Whether a value is what a literal says; numbers agree to the digits that are written. */
function isValue(value: unknown, literal: ts.Expression): boolean {
  if (ts.isArrayLiteralExpression(literal)) {
    if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return false;
    const items = Array.from(value as unknown as ArrayLike<unknown>);
    return (
      items.length === literal.elements.length &&
      items.every((item, i) => isValue(item, literal.elements[i]!))
    );
  }
  if (ts.isObjectLiteralExpression(literal)) {
    const wanted = literal.properties.filter(ts.isPropertyAssignment);
    const own = value as Record<string, unknown>;
    return (
      typeof value === "object" &&
      value !== null &&
      Object.keys(own).length === wanted.length &&
      wanted.every(({ name, initializer }) => isValue(own[(name as ts.Identifier).text], initializer))
    );
  }
  return isPrimitive(value, literal.getText());
}

const words = new Map<string, unknown>([
  ["true", true],
  ["false", false],
  ["null", null],
  ["undefined", undefined],
  ["NaN", NaN],
  ["Infinity", Infinity],
  ["-Infinity", -Infinity],
]);

function isPrimitive(value: unknown, text: string): boolean {
  if (words.has(text)) return Object.is(value, words.get(text));
  if (text.startsWith('"')) return value === JSON.parse(text);
  const number = /^-?\d+(?:\.(\d+))?(?:e(-?\d+))?$/.exec(text);
  if (number === null) throw new SyntaxError(`a claim must be a literal: "// => ${text}"`);
  if (typeof value !== "number") return false;
  const [, decimals, exponent = "0"] = number;
  if (decimals === undefined) return value === Number(text);
  const lastDigit = 10 ** (Number(exponent) - decimals.length);
  return Math.abs(value - Number(text)) <= lastDigit * (0.5 + 1e-9);
}

function show(value: unknown): string {
  return inspect(value, { depth: 4, breakLength: Infinity });
}
