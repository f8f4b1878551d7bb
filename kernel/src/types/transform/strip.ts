import ts from "typescript";
import type { Edits } from "./edits.js";

/** Thrown if a cell contains syntax that needs generated code, such as an enum; the cell is then down-leveled. */
export class NeedsDownlevel extends Error {}

/**
 * Replaces all type syntax with spaces, so that every remaining character stays at its line and column.
 *
 * ts-blank-space does the same, and the tests hold this function to it on every file of the repository. It is not used
 * here as it would double the start of the type service: it is an ES module, which V8's startup snapshot cannot hold, and
 * its import of TypeScript makes Node read through all 9 MB of it once more (400 ms, 48 MB). Nor does it say which cells
 * need more than erasure (decorators, `using`, `accessor`).
 *
 * @throws {NeedsDownlevel} if the cell holds enums, namespaces, decorators, parameter properties, `using` or JSX.
 */
export function stripTypes(file: ts.SourceFile, edits: Edits): void {
  const text = file.text;
  const blank = (node: ts.Node): void => edits.blank(node.getStart(file), node.end);

  /** Blanks from the punctuation before a node (`:`, `<`, `as`) to the end of the node. */
  const blankFrom = (start: number, end: number): void => edits.blank(start, end);

  const visitAll = (nodes: readonly ts.Node[] | undefined): void => nodes?.forEach(visit);

  /** Blanks `: T` between the end of what is annotated and the end of the type. */
  const annotation = (before: number, type: ts.TypeNode | undefined): void => {
    if (type) blankFrom(before, type.end);
  };

  const typeParameters = (nodes: ts.NodeArray<ts.Node> | undefined): void => {
    if (!nodes) return;
    const open = nodes.pos - 1;
    edits.blank(open, text.indexOf(">", nodes.end) + 1);
  };

  const modifiers = (node: ts.Node & { modifiers?: ts.NodeArray<ts.ModifierLike> }): void => {
    for (const modifier of node.modifiers ?? []) {
      switch (modifier.kind) {
        case ts.SyntaxKind.PublicKeyword:
        case ts.SyntaxKind.PrivateKeyword:
        case ts.SyntaxKind.ProtectedKeyword:
        case ts.SyntaxKind.ReadonlyKeyword:
        case ts.SyntaxKind.AbstractKeyword:
        case ts.SyntaxKind.OverrideKeyword:
          blank(modifier);
          break;
        case ts.SyntaxKind.Decorator:
          throw new NeedsDownlevel();
      }
    }
  };

  const parameters = (nodes: readonly ts.ParameterDeclaration[]): void => {
    nodes.forEach((parameter, i) => {
      if (ts.isIdentifier(parameter.name) && parameter.name.text === "this") {
        const next = nodes[i + 1];
        blankFrom(parameter.getStart(file), next ? next.getStart(file) : parameter.end);
        return;
      }
      if (parameter.modifiers?.length) throw new NeedsDownlevel();
      visit(parameter.name);
      if (parameter.questionToken) blank(parameter.questionToken);
      annotation((parameter.questionToken ?? parameter.name).end, parameter.type);
      if (parameter.initializer) visit(parameter.initializer);
    });
  };

  /** The position just after the parenthesis that closes a parameter list. */
  const afterParameters = (node: ts.SignatureDeclaration): number =>
    text.indexOf(")", skipTrivia(text, node.parameters.end)) + 1;

  const signature = (node: ts.FunctionLikeDeclaration): void => {
    typeParameters(node.typeParameters);
    parameters(node.parameters);
    if (node.type) {
      const close = afterParameters(node);
      if (ts.isArrowFunction(node) && text.slice(close, node.equalsGreaterThanToken.end).includes("\n")) {
        // A line break before => is a syntax error: only TypeScript's own printer gets this right.
        throw new NeedsDownlevel();
      }
      blankFrom(close, node.type.end);
    }
    if (ts.isArrowFunction(node) && node.typeParameters) {
      const head = text.slice(node.getStart(file), node.parameters.pos);
      if (head.includes("\n")) throw new NeedsDownlevel();
    }
  };

  /** Blanks a statement that has no value; the semicolon keeps its neighbors apart. */
  const removeStatement = (node: ts.Node): void => edits.blank(node.getStart(file), node.end, ";");

  /** Once `as T` at the end of a line is gone, the next line must not continue the expression. */
  const blankSuffix = (node: ts.Node, from: number): void => {
    const next = text.slice(node.end).match(/^[ \t]*\r?\n\s*([([`+\-/])/);
    edits.blank(from, node.end, next && isStatementEnd(node) ? ";" : "");
  };

  const visit = (node: ts.Node): void => {
    switch (node.kind) {
      case ts.SyntaxKind.InterfaceDeclaration:
      case ts.SyntaxKind.TypeAliasDeclaration:
        removeStatement(node);
        return;
      case ts.SyntaxKind.EnumDeclaration:
      case ts.SyntaxKind.ModuleDeclaration:
        if (isAmbient(node)) removeStatement(node);
        else throw new NeedsDownlevel();
        return;
      case ts.SyntaxKind.JsxElement:
      case ts.SyntaxKind.JsxSelfClosingElement:
      case ts.SyntaxKind.JsxFragment:
        throw new NeedsDownlevel();
    }
    if (ts.isVariableStatement(node) && isAmbient(node)) return removeStatement(node);
    if (ts.isVariableDeclarationList(node)) {
      if ((node.flags & ts.NodeFlags.Using) === ts.NodeFlags.Using) throw new NeedsDownlevel();
      return visitAll(node.declarations);
    }
    if (ts.isVariableDeclaration(node)) {
      visit(node.name);
      const end = node.exclamationToken ?? node.name;
      if (node.exclamationToken) blank(node.exclamationToken);
      annotation(end.end, node.type);
      if (node.initializer) visit(node.initializer);
      return;
    }
    if (ts.isFunctionDeclaration(node)) {
      if (!node.body || isAmbient(node)) return removeStatement(node);
      modifiers(node);
      signature(node);
      return visit(node.body);
    }
    if (ts.isFunctionExpression(node) || ts.isArrowFunction(node)) {
      signature(node);
      return visit(node.body);
    }
    if (
      ts.isMethodDeclaration(node) ||
      ts.isConstructorDeclaration(node) ||
      ts.isGetAccessorDeclaration(node) ||
      ts.isSetAccessorDeclaration(node)
    ) {
      if (!node.body) return edits.blank(node.getStart(file), node.end);
      modifiers(node);
      if (!ts.isConstructorDeclaration(node)) visit(node.name);
      if (ts.isMethodDeclaration(node) && node.questionToken) blank(node.questionToken);
      signature(node);
      return visit(node.body);
    }
    if (ts.isIndexSignatureDeclaration(node)) return blank(node);
    if (ts.isPropertyDeclaration(node)) {
      const dropped = [ts.SyntaxKind.DeclareKeyword, ts.SyntaxKind.AbstractKeyword];
      if (node.modifiers?.some((modifier) => dropped.includes(modifier.kind))) {
        return edits.blank(node.getStart(file), node.end, ";");
      }
      if (node.modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.AccessorKeyword)) {
        throw new NeedsDownlevel();
      }
      modifiers(node);
      visit(node.name);
      const mark = node.questionToken ?? node.exclamationToken;
      if (mark) blank(mark);
      annotation((mark ?? node.name).end, node.type);
      if (node.initializer) visit(node.initializer);
      return;
    }
    if (ts.isClassLike(node)) {
      if (ts.isClassDeclaration(node) && isAmbient(node)) return removeStatement(node);
      modifiers(node);
      typeParameters(node.typeParameters);
      for (const clause of node.heritageClauses ?? []) {
        if (clause.token === ts.SyntaxKind.ImplementsKeyword) blank(clause);
        else visitAll(clause.types);
      }
      return visitAll(node.members);
    }
    if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      visit(node.expression);
      return blankSuffix(node, node.expression.end);
    }
    if (ts.isNonNullExpression(node)) {
      visit(node.expression);
      return blankSuffix(node, node.end - 1);
    }
    if (ts.isTypeAssertionExpression(node)) {
      blankFrom(node.getStart(file), node.expression.getStart(file));
      return visit(node.expression);
    }
    if (ts.isExpressionWithTypeArguments(node)) {
      visit(node.expression);
      return typeParameters(node.typeArguments);
    }
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      visit(node.expression);
      typeParameters(node.typeArguments);
      return visitAll(node.arguments);
    }
    if (ts.isTaggedTemplateExpression(node)) {
      visit(node.tag);
      typeParameters(node.typeArguments);
      return visit(node.template);
    }
    // The module transform rewrites imports and exports as a whole.
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isImportEqualsDeclaration(node))
      return;
    ts.forEachChild(node, visit);
  };
  visitAll(file.statements);
}

/** True for a statement after `declare`. */
export function isAmbient(node: ts.Node): boolean {
  return (
    ts.canHaveModifiers(node) &&
    (ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.DeclareKeyword) ?? false)
  );
}

function isStatementEnd(node: ts.Node): boolean {
  let at: ts.Node = node;
  while (at.parent && at.parent.end === node.end) {
    if (ts.isStatement(at)) return true;
    at = at.parent;
  }
  return ts.isStatement(at);
}

function skipTrivia(text: string, at: number): number {
  for (;;) {
    const rest = text.slice(at);
    const match = /^(\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,)/.exec(rest);
    if (!match) return at;
    at += match[0].length;
  }
}
