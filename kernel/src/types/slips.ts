import ts from "typescript";
import { suggest } from "../help/suggest.js";
import { host } from "./host.js";

/** Advice for what one does in the first weeks with TypeScript, where its message says what is wrong and not what to write. */
export function slipHint(
  { code }: ts.Diagnostic,
  at: ts.Node | undefined,
  program: ts.Program,
): string | undefined {
  return at && slips[code]?.(at, program.getTypeChecker());
}

type Slip = (at: ts.Node, checker: ts.TypeChecker) => string | undefined;

const slips: Readonly<Record<number, Slip>> = {
  // "Cannot assign to 'x' because it is a constant."
  2588: (at) => `Declare it with let where it has const: let ${at.getText()} = ...`,
  // "Cannot redeclare block-scoped variable 'x'."
  2451: (at) =>
    `A cell declares a name once: assign to it with ${at.getText()} = ..., declared with let, or declare it again in another cell`,
  // "Property 'x' does not exist on type 'Y'."
  2339: missingProperty,
  // "The left-hand side of an arithmetic operation must be of type ...", and the right-hand side.
  2362: notANumber,
  2363: notANumber,
  // "Operator '+' cannot be applied to types 'bigint' and '1'."
  2365: (at, checker) =>
    mixesBigints(at, checker) ? "Both must be big integers, 1n, or both numbers: Number(...)" : undefined,
  // "A 'return' statement can only be used within a function body."
  1108: () =>
    "The value of a cell is that of its last line, without return. In a notebook of plain JavaScript: %dialect javascript",
  // "Type 'number' must have a '[Symbol.iterator]()' method that returns an iterator."
  2488: pairsOfList,
  // "Cannot find module './x' or its corresponding type declarations."
  2307: missingFile,
};

function missingProperty(at: ts.Node, checker: ts.TypeChecker): string | undefined {
  const { parent } = at;
  if (!ts.isPropertyAccessExpression(parent) || parent.name !== at) return undefined;
  const name = at.getText();
  const type = checker.getTypeAtLocation(parent.expression);
  const [made] = type.getConstructSignatures().map((one) => one.getReturnType());
  if (made && checker.getPropertyOfType(made, name))
    return `Its objects have it: new ${parent.expression.getText()}(...).${name}`;
  const names = checker.getPropertiesOfType(checker.getApparentType(type)).map((one) => one.name);
  // TypeScript proposes no short name that differs by two letters, as two that have changed places do.
  const ofSameLetters = names.find((one) => sorted(one) === sorted(name));
  const ofSameLength = names.filter((one) => Math.abs(one.length - name.length) <= 1);
  const near = ofSameLetters ?? suggest(name, ofSameLength, 1)[0];
  return near === undefined ? undefined : `Did you mean '${near}'?`;
}

const sorted = (name: string): string => [...name.toLowerCase()].sort().join("");

function notANumber(at: ts.Node, checker: ts.TypeChecker): string | undefined {
  const isText = (checker.getTypeAtLocation(at).flags & ts.TypeFlags.StringLike) !== 0;
  return isText ? `It is a string: Number(${at.getText()}) is the number in it` : undefined;
}

function mixesBigints(at: ts.Node, checker: ts.TypeChecker): boolean {
  const expression = ts.isBinaryExpression(at) ? at : at.parent;
  if (!ts.isBinaryExpression(expression)) return false;
  const flags = [expression.left, expression.right].map((side) => checker.getTypeAtLocation(side).flags);
  const has = (kind: ts.TypeFlags): boolean => flags.some((one) => (one & kind) !== 0);
  return has(ts.TypeFlags.BigIntLike) && has(ts.TypeFlags.NumberLike);
}

/** `for (const [i, x] of list)`, which Python's `enumerate` gives. */
function pairsOfList(at: ts.Node): string | undefined {
  for (let node = at; !ts.isSourceFile(node); node = node.parent) {
    if (!ts.isArrayBindingPattern(node)) continue;
    const list = node.parent.parent;
    const loop = list.parent;
    if (!ts.isVariableDeclarationList(list) || !ts.isForOfStatement(loop)) return undefined;
    return `For its places and values: for (const ${node.getText()} of ${loop.expression.getText()}.entries())`;
  }
  return undefined;
}

const sourceFile = /\.(?:[cm]?[jt]sx?|json)$/;

function missingFile(at: ts.Node): string | undefined {
  if (!ts.isStringLiteralLike(at) || !/^\.\.?\//.test(at.text)) return undefined;
  const { files } = host();
  const { path } = files;
  const folder = path.resolve(path.dirname(at.getSourceFile().fileName), path.dirname(at.text));
  if (!files.hasFolder(folder)) return `There is no folder ${folder}`;
  const names = files
    .list(folder, undefined, undefined, ["./*"], 1)
    .map((one) => path.basename(one))
    .filter((one) => sourceFile.test(one) && !one.startsWith("__turnwise"));
  const wanted = path.basename(at.text);
  const [near] = suggest(
    wanted.replace(sourceFile, ""),
    names.map((one) => one.replace(sourceFile, "")),
    1,
  );
  const found = names.find((one) => one.replace(sourceFile, "") === near);
  return `There is no such file in ${folder}${found === undefined ? "" : `. Did you mean "${at.text.slice(0, -wanted.length)}${found}"?`}`;
}
