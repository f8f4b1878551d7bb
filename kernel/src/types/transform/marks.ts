import ts from "typescript";
import type { Edits } from "./edits.js";
import { runtimeName } from "./runtime-name.js";

/**
 * Adds the marks at which a cell can be interrupted safely.
 *
 * A loop that may run long (it calls, awaits, constructs or has no end condition) asks at its head whether to stop; with `every`,
 * all loops do. An interrupted `await` rejects; after each `await` the current cell is restored, so that output and timers after
 * it belong to the cell that started it. Dynamic imports and `import.meta` are
 * redirected, since V8's REPL mode has neither.
 *
 * @param every whether each loop has a mark: a page has no way to end a cell from outside and keep its variables
 * @param siteOf where a position is in the cell: an error without any frame gets that of the `await` that has met it
 */
export function addMarks(
  file: ts.SourceFile,
  edits: Edits,
  every: boolean,
  siteOf: (position: number) => string | undefined,
): void {
  const loopBody = (loop: ts.IterationStatement): void => {
    const body = loop.statement;
    // A declaration as the body is an error, which a block around it would hide.
    const isError = ts.isFunctionDeclaration(body) || ts.isClassDeclaration(body);
    if ((every || mayRunLong(loop)) && !isError) {
      if (ts.isBlock(body)) {
        edits.insert(body.getStart(file) + 1, `${runtimeName}.t();`);
        visit(body);
      } else {
        edits.insert(body.getStart(file), `{${runtimeName}.t();`);
        visit(body);
        edits.insert(body.end, "}");
      }
    } else {
      visit(loop.statement);
    }
  };

  const visit = (node: ts.Node): void => {
    if (ts.isAwaitExpression(node)) {
      // The running cell is read before the wait and restored by r(...) after it: arguments keep their order.
      edits.insert(node.getStart(file), `${runtimeName}.r(${runtimeName}.c,`);
      edits.insert(node.expression.getStart(file), `${runtimeName}.w(`);
      visit(node.expression);
      const owner = ownerOf(node.expression) ?? "void 0";
      const site = JSON.stringify(siteOf(node.getStart(file))) ?? "void 0";
      edits.insert(node.end, `,${owner},${site}))`);
      return;
    }
    if (ts.isForOfStatement(node)) {
      visit(node.initializer);
      if (node.awaitModifier) {
        edits.insert(node.expression.getStart(file), `${runtimeName}.it(`);
        visit(node.expression);
        edits.insert(node.expression.end, ")");
      } else {
        visit(node.expression);
      }
      return loopBody(node);
    }
    if (ts.isIterationStatement(node, false)) {
      ts.forEachChild(node, (child) => {
        if (child !== node.statement) visit(child);
      });
      return loopBody(node);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      edits.replace(node.expression.getStart(file), node.expression.end, `${runtimeName}.import`);
      node.arguments.forEach(visit);
      return;
    }
    if (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) {
      edits.replace(node.getStart(file), node.end, `${runtimeName}.meta`);
      return;
    }
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    ts.forEachChild(node, visit);
  };
  file.statements.forEach(visit);
}

/** Adds a mark at the head of every loop of a file: that of a module, which nothing else could stop. */
export function addLoopMarks(file: ts.SourceFile, edits: Edits, mark: string): void {
  const visit = (node: ts.Node): void => {
    if (!ts.isIterationStatement(node, false)) return ts.forEachChild(node, visit);
    const { statement } = node;
    const start = statement.getStart(file);
    if (ts.isBlock(statement)) edits.insert(start + 1, mark);
    else edits.insert(start, `{${mark}`);
    ts.forEachChild(node, visit);
    if (!ts.isBlock(statement)) edits.insert(statement.end, "}");
  };
  visit(file);
}

/** The variable whose method is awaited: an interrupt may be able to stop what it does. */
function ownerOf(awaited: ts.Expression): string | undefined {
  if (!ts.isCallExpression(awaited) || !ts.isPropertyAccessExpression(awaited.expression)) return undefined;
  const owner = awaited.expression.expression;
  return ts.isIdentifier(owner) ? owner.text : undefined;
}

/** A call may train for hours; a loop of plain arithmetic runs at full speed, and V8 itself stops it. */
function mayRunLong(loop: ts.IterationStatement): boolean {
  if (ts.isForStatement(loop) && !loop.condition) return true;
  if (ts.isForOfStatement(loop) && loop.awaitModifier) return true;
  if (
    (ts.isWhileStatement(loop) || ts.isDoStatement(loop)) &&
    loop.expression.kind !== ts.SyntaxKind.BinaryExpression
  ) {
    return true;
  }
  const calls = (node: ts.Node): boolean => {
    if (ts.isFunctionLike(node)) return false;
    if (
      ts.isCallExpression(node) ||
      ts.isNewExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isYieldExpression(node) ||
      ts.isTaggedTemplateExpression(node)
    ) {
      return true;
    }
    return ts.forEachChild(node, calls) ?? false;
  };
  return calls(loop);
}
