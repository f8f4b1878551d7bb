import ts from "typescript";

/** A cell as TypeScript reads it: a module, so that it may await at top level even if it imports nothing. */
export function parse(source: string, fileName: string): ts.SourceFile {
  return ts.createSourceFile(
    fileName,
    source,
    {
      languageVersion: ts.ScriptTarget.ESNext,
      setExternalModuleIndicator: (file) => {
        (file as { externalModuleIndicator?: true }).externalModuleIndicator = true;
      },
    },
    true,
  );
}
