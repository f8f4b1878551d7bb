import ts from "typescript";

/**
 * Calls of an `if` or the like whose promise nobody awaits. TypeScript says so only where it looks for what may be null, since the
 * promise might be left out otherwise: these are the calls of which it is known that they always give one.
 */
export function promiseConditions(program: ts.Program, path: string, end: number): ts.Diagnostic[] {
  const found: ts.Diagnostic[] = [];
  const { strict, strictNullChecks = strict } = program.getCompilerOptions();
  const file = program.getSourceFile(path);
  if (strictNullChecks || !file) return found;
  const checker = program.getTypeChecker();
  const look = (condition: ts.Expression): void => {
    if (ts.isParenthesizedExpression(condition)) return look(condition.expression);
    if (ts.isPrefixUnaryExpression(condition) && condition.operator === ts.SyntaxKind.ExclamationToken)
      return look(condition.operand);
    if (ts.isBinaryExpression(condition) && logical.has(condition.operatorToken.kind)) {
      look(condition.left);
      return look(condition.right);
    }
    if (ts.isCallExpression(condition) && givesPromise(condition, checker)) {
      const type = checker.typeToString(checker.getTypeAtLocation(condition));
      found.push({
        file,
        start: condition.getStart(file),
        length: condition.getWidth(file),
        category: ts.DiagnosticCategory.Error,
        code: 2801,
        messageText: `This condition will always return true since this '${type}' is always defined.`,
      });
    }
  };
  const visit = (node: ts.Node): void => {
    if (node.pos > end) return;
    if (ts.isIfStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) look(node.expression);
    if (ts.isConditionalExpression(node) || (ts.isForStatement(node) && node.condition))
      look(node.condition!);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const logical = new Set([ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken]);

/** An `async` function, or one that is declared to give a promise and nothing else. */
function givesPromise(call: ts.CallExpression, checker: ts.TypeChecker): boolean {
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (!declaration || ts.isJSDocSignature(declaration)) return false;
  const { type } = declaration;
  if (type) return ts.isTypeReferenceNode(type) && type.typeName.getText() === "Promise";
  const modifiers = ts.canHaveModifiers(declaration) ? ts.getModifiers(declaration) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) ?? false;
}
