import ts from "typescript";
import { documentedPackages } from "turnwise-kernel/internal/help/documented";
import { Help } from "turnwise-kernel/internal/help/help";
import { knownPackages } from "turnwise-kernel/internal/help/known-packages";
import { ownName } from "turnwise-kernel/internal/help/own-names";
import type { HelpPlace, Parser } from "turnwise-kernel/internal/help/place";
import { PackedFiles, packedPlaces } from "turnwise-kernel/internal/types/packed";
import { posixPaths } from "turnwise-kernel/internal/types/posix-paths";
import { makeHelpSymbol, type MakeHelp } from "./help-loader.js";

// help.js: TypeScript's parser and the pages of help, for the worker that runs cells.

// Name by name, so that the bundle has no more of TypeScript than that.
const parser: Parser = {
  createSourceFile: ts.createSourceFile,
  getLeadingCommentRanges: ts.getLeadingCommentRanges,
  isClassDeclaration: ts.isClassDeclaration,
  isExportDeclaration: ts.isExportDeclaration,
  isFunctionDeclaration: ts.isFunctionDeclaration,
  isInterfaceDeclaration: ts.isInterfaceDeclaration,
  isNamedExports: ts.isNamedExports,
  isNamespaceExport: ts.isNamespaceExport,
  isStringLiteral: ts.isStringLiteral,
  isTypeAliasDeclaration: ts.isTypeAliasDeclaration,
  isVariableStatement: ts.isVariableStatement,
  ScriptTarget: ts.ScriptTarget,
};

const makeHelp: MakeHelp = ({ files }, asker) => {
  const packed = new PackedFiles(files, undefined, String);
  const known = knownPackages(undefined, posixPaths.dirname(packedPlaces.kernel()), packed).packages;
  const libraries = known.map((one) => ({ package: one, load: asker.load }));
  const place: HelpPlace = {
    typescript: parser,
    exists: (path) => Object.hasOwn(files, path),
    read: (path) => files[path] ?? "",
    join: posixPaths.join,
    dirname: posixPaths.dirname,
    kernel: `${packedPlaces.kernel()}/index.d.ts`,
    libraries: () => libraries,
    index: () => undefined,
  };
  return new Help(
    () => documentedPackages(asker.kernel(), place),
    asker.inspect,
    (name) => ownName(name, asker.cells(), place),
  );
};

(globalThis as unknown as Record<symbol, unknown>)[makeHelpSymbol] = makeHelp;
