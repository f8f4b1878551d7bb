import ts from "typescript";

/** Why a file of TypeScript's tests is not run, or undefined if it is. */
export function leftOut(path: string, text: string, file: ts.SourceFile): string | undefined {
  if (!path.endsWith(".ts") || path.endsWith(".d.ts")) return "no plain TypeScript";
  if (/^\s*\/\/\s*@filename/im.test(text)) return "several files in one";
  if ((file as unknown as { parseDiagnostics: unknown[] }).parseDiagnostics.length > 0)
    return "does not parse, as it is meant to";
  if (ts.isExternalModule(file) || hasModuleSyntax(file)) return "modules";
  return undefined;
}

/** The JavaScript that a file would be run as, by the options of cells. */
export function asJavaScript(text: string): string {
  const { outputText } = ts.transpileModule(text, {
    fileName: "file.ts",
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, removeComments: false },
  });
  return outputText;
}

function hasModuleSyntax(file: ts.SourceFile): boolean {
  const visit = (node: ts.Node): boolean =>
    ts.isImportEqualsDeclaration(node) && ts.isSourceFile(node.parent)
      ? true
      : (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) ||
        (ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword) ||
        (ts.forEachChild(node, visit) ?? false);
  return visit(file);
}
