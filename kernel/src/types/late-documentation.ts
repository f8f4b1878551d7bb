import ts from "typescript";
import { host } from "./host.js";
import { isStandardLibrary } from "./registry.js";

/** The documentation of a name in the standard libraries, which were read without their comments. */
export function lateDocumentation(definitions: readonly ts.DefinitionInfo[]): {
  documentation?: ts.SymbolDisplayPart[];
} {
  for (const definition of definitions) {
    if (!isStandardLibrary(definition.fileName)) continue;
    const text = host().files.read(definition.fileName) ?? "";
    const file = ts.createSourceFile(definition.fileName, text, ts.ScriptTarget.ESNext, true);
    const find = (node: ts.Node): string | undefined => {
      if (definition.textSpan.start < node.pos || definition.textSpan.start >= node.end) return undefined;
      const inner = ts.forEachChild(node, find);
      if (inner !== undefined) return inner;
      const comments = ts
        .getJSDocCommentsAndTags(node)
        .map((one) => ts.getTextOfJSDocComment(one.comment) ?? "");
      return comments.find((comment) => comment !== "");
    };
    const comment = find(file);
    if (comment !== undefined) return { documentation: [{ text: comment, kind: "text" }] };
  }
  return {};
}
