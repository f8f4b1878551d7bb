import ts from "typescript";

/** Adds the names that a declaration gives, one or those of a pattern. */
export function collectNames(name: ts.BindingName, into: string[]): void {
  if (ts.isIdentifier(name)) into.push(name.text);
  else {
    for (const element of name.elements) {
      if (ts.isBindingElement(element)) collectNames(element.name, into);
    }
  }
}
