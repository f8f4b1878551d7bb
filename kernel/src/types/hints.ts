import ts from "typescript";
import { denoDisplay, foreignSpecifier, installedSpecifier } from "./foreign-specifier.js";
import { installHint as installed } from "./install-hint.js";
import { host } from "./host.js";
import { isInstalled } from "./is-installed.js";
import { denoAdvice } from "./deno-advice.js";
import { isAssigned } from "./implied-globals.js";
import { adviceForName, nodeImport } from "./node-imports.js";
import type { NestedOptions } from "../help/declared.js";
import type { KnownPackage } from "../help/known-packages.js";
import { suggest } from "../help/suggest.js";
import { slipHint } from "./slips.js";

/** The text of a module that imports these, so that a program knows their exports. */
export const importsOf = (specifiers: readonly string[]): string =>
  specifiers.map((one) => `import ${JSON.stringify(one)};`).join("\n");

// "Cannot find name", also with a proposal, as one of a page, and as a shorthand property.
const unknownName = new Set([2304, 2552, 2584, 18004]);
// "Object literal may only specify known properties", also with a proposal.
const unknownProperty = new Set([2353, 2561]);
// "Type X is not assignable to type Y", as an argument, and with a proposal.
const notAssignable = new Set([2322, 2345, 2820]);
// "Cannot find module", also where it is imported for its effects alone.
const missingModule = new Set([2307, 2882]);
// "Property X does not exist on type Y", also with a proposal.
const noProperty = new Set([2339, 2551]);
const notIterable = 2488;
// "This condition will always return true since this 'Promise<boolean>' is always defined."
const conditionIsPromise = 2801;
const forgotten = "Did you forget await?";

/** A property of a variable's object holds text where only some words may stand. */
const looseWord =
  /Types of property '\w+' are incompatible\.\s+Type 'string' is not assignable to type '(?!number'|boolean'|undefined')/;

const longestType = 100;

/** The message with long types told by their first words or the names of their first properties alone. */
export function withShortTypes(message: string): string {
  const words = message.replace(/'((?:"[^"']*" \| ){4,})[^']*'/g, (_, list: string) => {
    const first = list.split(" | ").slice(0, 3).join(" | ");
    return `'${first} | ...'`;
  });
  return words.replace(/'\{ ([^']*) \}'/g, (whole, inside: string) => {
    if (whole.length < longestType) return whole;
    const names = [...inside.matchAll(/(?:^|; )(?:readonly )?(\w+\??):/g)].map((match) => match[1]!);
    return names.length === 0 ? whole : `'{ ${names.slice(0, 4).join(", ")}, ... }'`;
  });
}

/** Advice about the most likely intention in a type error; undefined if TypeScript's own message is enough. */
export function hintFor(
  diagnostic: ts.Diagnostic,
  message: string,
  program: ts.Program,
  known: readonly KnownPackage[],
): string | undefined {
  if (diagnostic.code === notIterable && node(diagnostic) && isAsync(node(diagnostic)!, program)) {
    return "It gives its values one after the other: write for await (const one of ...)";
  }
  if (conditionIsPromise === diagnostic.code) return forgotten;
  if (noProperty.has(diagnostic.code)) {
    const advice = denoHint(node(diagnostic));
    if (advice !== undefined) return advice;
  }
  const awaitable = awaitableTypes(known);
  if (diagnostic.code === notIterable && RegExp(`^Type '${awaitable}`).test(message)) return forgotten;
  if (missingModule.has(diagnostic.code))
    return installHint(diagnostic) ?? slipHint(diagnostic, node(diagnostic), program);
  if (RegExp(`\\b${awaitable}`).test(promisePart(message, awaitable))) return forgotten;
  if (!notAssignable.has(diagnostic.code)) return slipHint(diagnostic, node(diagnostic), program);
  if (looseWord.test(message)) {
    return "A word in a variable is any text to TypeScript: write the object with as const behind it, { ... } as const";
  }
  return nearestWord(diagnostic, program);
}

/** Advice for a member that the `Deno` of cells does not have. */
function denoHint(at: ts.Node | undefined): string | undefined {
  const access = at?.parent;
  if (!at || !access || !ts.isPropertyAccessExpression(access) || access.name !== at) return undefined;
  const { expression } = access;
  return ts.isIdentifier(expression) && expression.text === "Deno" ? denoAdvice(access.name.text) : undefined;
}

/** Command that installs a missing package. */
function installHint(diagnostic: ts.Diagnostic): string | undefined {
  const literal = node(diagnostic);
  if (!literal || !ts.isStringLiteralLike(literal)) return undefined;
  const foreign = foreignSpecifier(literal.text);
  if (foreign !== undefined) return `Here ${foreign}`;
  if (literal.text.startsWith("node:")) return `${host().runtime()} does not have it.`;
  const name = /^((?:@[\w.-]+\/)?[\w.-]+)\//.exec(literal.text)?.[1];
  if (name !== undefined && isInstalled(name, host().files.path.dirname(literal.getSourceFile().fileName)))
    return `${name} is installed, but has no such module`;
  return installed(literal.text).trim() || undefined;
}

/** Whether a module is missed that the runtime has: a newer one than the declarations know, or one without any. */
export function isOfRuntime(diagnostic: ts.Diagnostic): boolean {
  const literal = missingModule.has(diagnostic.code) ? node(diagnostic) : undefined;
  if (literal === undefined || !ts.isStringLiteralLike(literal)) return false;
  // A module in the text of its own address.
  if (literal.text.startsWith("data:")) return true;
  return host().isBuiltin(literal.text) || installedSpecifier(literal.text) === denoDisplay;
}

/** The beginning of a type that must be awaited, as a regular expression. */
function awaitableTypes(known: readonly KnownPackage[]): string {
  const declared = known.flatMap(({ field }) => field.hints?.awaitable ?? []);
  const names = ["Promise", ...declared.map((one) => one.replace(/[^\w$]/g, "").replaceAll("$", "\\$"))];
  return `(?:${names.filter((name) => name !== "").join("|")})<`;
}

/** The type that a promise stands in place of, as the message names it. */
function promisePart(message: string, awaitable: string): string {
  const [first] = message.split("\n");
  return (
    /on type '(.*)'/.exec(first!)?.[1] ??
    /^(?:Argument of type|Type) '(.*)' is not assignable/
      .exec(first!)?.[1]
      ?.match(RegExp(`^${awaitable}.*`))?.[0] ??
    ""
  );
}

function isAsync(at: ts.Node, program: ts.Program): boolean {
  const type = program.getTypeChecker().getTypeAtLocation(at);
  return type.getProperties().some(({ name }) => name.startsWith("__@asyncIterator"));
}

/** The nearest of the words that may stand where a misspelled one stands. */
function nearestWord(diagnostic: ts.Diagnostic, program: ts.Program): string | undefined {
  const literal = node(diagnostic);
  if (!literal || !ts.isStringLiteralLike(literal)) return undefined;
  const wanted = program.getTypeChecker().getContextualType(literal);
  const words = (wanted?.isUnion() ? wanted.types : wanted ? [wanted] : []).flatMap((one) =>
    one.isStringLiteral() ? [one.value] : [],
  );
  const [near] = suggest(literal.text, words, 1);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return words.length > 0 && words.length <= 40
    ? `It may be ${words.map((one) => `"${one}"`).join(", ")}`
    : undefined;
}

type Asked = (program: ts.Program, hintFile: string) => string | undefined;

/** A question that only the types of known packages answer; undefined for errors that have nothing to do with them. */
export function hintNeeds(diagnostic: ts.Diagnostic, known: readonly KnownPackage[]): Asked | undefined {
  const at = node(diagnostic);
  if (!at || !ts.isIdentifier(at)) return undefined;
  if (unknownName.has(diagnostic.code))
    return (program, file) => importHint(at.text, program, file) ?? declareHint(at);
  const nested = known.flatMap(({ name, field }) =>
    (field.hints?.nested ?? []).map((one): Nested => ({ ...one, specifier: name })),
  );
  if (unknownProperty.has(diagnostic.code) && nested.length > 0)
    return (program, file) => nestedHint(at, nested, program, file);
  return undefined;
}

/** A name that a cell sets without declaring it, as plain JavaScript allows. */
function declareHint(at: ts.Identifier): string | undefined {
  if (!isAssigned(at)) return undefined;
  return `Declare it: let ${at.text}. In a notebook of plain JavaScript: %dialect javascript`;
}

function importHint(name: string, program: ts.Program, file: string): string | undefined {
  const found = modulesIn(program, file).find(({ names }) => names.some((one) => one.name === name));
  const advice = found ? undefined : adviceForName(name);
  if (advice !== undefined) return advice;
  const statement = found ? `import { ${name} } from ${JSON.stringify(found.specifier)}` : nodeImport(name);
  return statement && `Import it: ${statement}`;
}

/** Nested options, with the module that exports their type. */
interface Nested extends NestedOptions {
  readonly specifier: string;
}

/** Right place of an option that was written too far outside, in the words of the package that has it. */
function nestedHint(
  at: ts.Identifier,
  nested: readonly Nested[],
  program: ts.Program,
  file: string,
): string | undefined {
  const checker = program.getTypeChecker();
  const modules = modulesIn(program, file);
  for (const { specifier, type, hint } of nested) {
    const exported = modules.find((one) => one.specifier === specifier)?.names;
    const found = exported?.find(({ name }) => name === type);
    if (!found) continue;
    const meant = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    const path = pathTo(at.text, checker.getDeclaredTypeOfSymbol(meant), checker);
    if (path === undefined || path.length < 2) continue;
    const value = ts.isPropertyAssignment(at.parent) ? at.parent.initializer : undefined;
    const given = value && ts.isLiteralExpression(value) ? value.getText() : "...";
    return hint.replace("{option}", () => path.reduceRight((inner, key) => `{ ${key}: ${inner} }`, given));
  }
  return undefined;
}

const objectLike = ts.TypeFlags.Object | ts.TypeFlags.Intersection;

/**
 * The shortest way through objects to a property of that name; choices and what may be left out are looked through. Of several, that
 * which most of its place's choices have: every optimizer has a learning rate, and of the rewards of a step only one.
 */
function pathTo(name: string, from: ts.Type, checker: ts.TypeChecker): string[] | undefined {
  let level: { readonly type: ts.Type; readonly path: readonly string[] }[] = [{ type: from, path: [] }];
  for (let depth = 0; depth < 4; depth++) {
    const next: typeof level = [];
    const found: { readonly path: string[]; readonly share: number }[] = [];
    for (const { type, path } of level) {
      // A custom function has properties, too, but no options.
      const parts = (type.isUnion() ? type.types : [type]).filter(
        (part) => part.getCallSignatures().length === 0 && part.flags & objectLike,
      );
      const having = parts.filter((part) => checker.getPropertyOfType(part, name) !== undefined);
      if (having.length > 0) found.push({ path: [...path, name], share: having.length / parts.length });
      for (const part of parts) {
        for (const property of checker.getPropertiesOfType(part)) {
          next.push({ type: checker.getTypeOfSymbol(property), path: [...path, property.name] });
        }
      }
    }
    found.sort((a, b) => b.share - a.share);
    if (found[0]) return found[0].path;
    level = next;
  }
  return undefined;
}

/** The modules that a file imports, with what they export. */
export function modulesIn(
  program: ts.Program,
  file: string,
): { specifier: string; names: readonly ts.Symbol[] }[] {
  const checker = program.getTypeChecker();
  return (program.getSourceFile(file)?.statements ?? []).flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return [];
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
    const specifier = statement.moduleSpecifier.text;
    return module ? [{ specifier, names: checker.getExportsOfModule(module) }] : [];
  });
}

/** The innermost node that the diagnostic underlines. */
function node({ file, start, length = 0 }: ts.Diagnostic): ts.Node | undefined {
  if (!file || start === undefined) return undefined;
  const find = (at: ts.Node): ts.Node | undefined => {
    if (at.getStart(file) > start || at.getEnd() < start + length) return undefined;
    return ts.forEachChild(at, find) ?? at;
  };
  return find(file);
}
