import ts from "typescript";

/** `declare global { ... }` and `declare module "x" { ... }`: what a cell adds to names that are not its own. */
export function augments(file: ts.SourceFile): boolean {
  return blocks(file).length > 0;
}

/** The cells that add to global names or to modules, which all later cells see without a word of import. */
export class Augmentations {
  private readonly texts = new Map<string, string>();

  /** A cell has been run; true if it adds something. */
  keep(file: ts.SourceFile, path: string, declarations: string): boolean {
    if (!augments(file)) return false;
    const anew = augmentedNames(file);
    for (const [earlier, text] of this.texts) this.texts.set(earlier, withoutAugmented(text, anew));
    this.texts.set(path, declarations);
    return true;
  }

  /** Removes earlier augmentations with the names that a cell about to be checked adds. */
  makeRoom(path: string, source: string, setText: (path: string, text: string) => void): void {
    if (this.texts.size === 0) return;
    const anew = augmentedNames(ts.createSourceFile(path, source, ts.ScriptTarget.ESNext, true));
    for (const [earlier, text] of this.texts) setText(earlier, withoutAugmented(text, anew));
  }
}

/** Names that a cell adds, as keys. */
function augmentedNames(file: ts.SourceFile): Set<string> {
  const names = new Set<string>();
  eachAddition(file, (key) => names.add(key));
  return names;
}

/** The text of a cell without the additions of these keys. */
function withoutAugmented(text: string, names: ReadonlySet<string>): string {
  const file = ts.createSourceFile("cell.d.ts", text, ts.ScriptTarget.ESNext, true);
  let rest = text;
  eachAddition(file, (key, node) => {
    if (!names.has(key)) return;
    const [start, end] = [node.getStart(file), node.end];
    rest = rest.slice(0, start) + rest.slice(start, end).replace(/[^\r\n]/g, " ") + rest.slice(end);
  });
  return rest;
}

function blocks(file: ts.SourceFile): ts.ModuleDeclaration[] {
  return file.statements.filter(
    (statement): statement is ts.ModuleDeclaration =>
      ts.isModuleDeclaration(statement) &&
      (ts.isStringLiteral(statement.name) || (statement.flags & ts.NodeFlags.GlobalAugmentation) !== 0),
  );
}

function eachAddition(file: ts.SourceFile, found: (key: string, node: ts.Node) => void): void {
  const visit = (node: ts.Node, within: string): void => {
    if (ts.isModuleDeclaration(node)) {
      const inner = `${within}${node.name.text}.`;
      if (node.body && ts.isModuleBlock(node.body)) node.body.statements.forEach((one) => visit(one, inner));
      else if (node.body) visit(node.body, inner);
    } else if (ts.isInterfaceDeclaration(node)) {
      // Interfaces of one name are one interface, whose members may come from many cells.
      for (const member of node.members) {
        const name = member.name ? member.name.getText(file) : member.getText(file);
        found(`${within}${node.name.text}.${name}`, member);
      }
    } else if (ts.isVariableStatement(node)) {
      for (const { name } of node.declarationList.declarations) found(within + name.getText(file), node);
    } else if (
      (ts.isFunctionDeclaration(node) ||
        ts.isClassDeclaration(node) ||
        ts.isTypeAliasDeclaration(node) ||
        ts.isEnumDeclaration(node)) &&
      node.name
    ) {
      found(within + node.name.text, node);
    }
  };
  for (const block of blocks(file)) visit(block, "");
}
