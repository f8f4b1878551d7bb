"use strict";
// Bundles of which TypeScript's parser is a part, without its checker.

const fs = require("fs");
const ts = require("typescript");

const pureKinds = new Set([
  ts.SyntaxKind.ArrowFunction,
  ts.SyntaxKind.FunctionExpression,
  ts.SyntaxKind.ClassExpression,
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NumericLiteral,
  ts.SyntaxKind.TrueKeyword,
  ts.SyntaxKind.FalseKeyword,
  ts.SyntaxKind.NullKeyword,
  ts.SyntaxKind.Identifier,
]);

/** Statement at TypeScript's top level that has effects and must be kept: its nodes get their methods. */
const kept = /^setObjectAllocator\(/;

/**
 * TypeScript's one file as a module whose unused parts a bundler can leave out. It is a function with a thousand of others inside;
 * what runs at its top level is either the first value of a variable, which is made only if somebody asks for it, or registers
 * fixes and refactorings, which no parser needs.
 */
function asModule(text) {
  const file = ts.createSourceFile("typescript.js", text, ts.ScriptTarget.ESNext, false, ts.ScriptKind.JS);
  const body = bodyOf(file);
  const source = (node) => text.slice(node.getStart(file), node.end);
  const out = [];
  for (const statement of body.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const one of statement.declarationList.declarations)
        out.push(`var ${source(one.name)}${one.initializer ? ` = ${lazily(one.initializer, source)}` : ""};`);
    } else if (ts.isExpressionStatement(statement)) {
      out.push(ofExpression(statement.expression, source));
    } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      out.push(source(statement));
    }
  }
  return out.join("\n");
}

/** The body of the function that holds all of TypeScript. */
function bodyOf(file) {
  for (const statement of file.statements) {
    const call = ts.isExpressionStatement(statement) && statement.expression;
    const callee = call && ts.isCallExpression(call) && ts.skipParentheses(call.expression);
    if (callee && ts.isArrowFunction(callee)) return callee.body;
  }
  throw new Error("Cannot take TypeScript apart: its file must be one function that is called.");
}

/** A value that a bundler may leave out if nobody uses it. */
function lazily(value, source) {
  const text = source(value);
  if (pureKinds.has(value.kind)) return text;
  return `/* @__PURE__ */ (() => (${text}))()`;
}

/** A namespace becomes a variable, the list of exports becomes one; whatever else is done at the top level goes. */
function ofExpression(expression, source) {
  const text = source(expression);
  if (kept.test(text)) return `${text};`;
  if (!ts.isCallExpression(expression)) return "";
  const [first, second] = expression.arguments;
  if (text.startsWith("__export(typescript_exports,")) {
    const names = second.properties.map((property) => [
      source(property.name),
      source(property.initializer.body),
    ]);
    return `export { ${names.map(([name, value]) => (name === value ? name : `${value} as ${name}`)).join(", ")} };`;
  }
  const callee = ts.skipParentheses(expression.expression);
  if (!ts.isArrowFunction(callee) || !ts.isBlock(callee.body)) return "";
  const name = /^(\w+) \|\| \(\1 = \{\}\)$/.exec(first ? source(first) : "")?.[1];
  if (name === undefined) return "";
  const inner = source(callee.parameters[0].name);
  return `var ${name} = /* @__PURE__ */ (${source(callee).replace(/\}$/, `return ${inner};\n}`)})(${name} || {});`;
}

/** A plugin of esbuild: TypeScript as a module of many parts, imported name by name. */
const onlyParser = {
  name: "only-parser",
  setup(build) {
    build.onLoad({ filter: /[/\\]typescript[/\\]lib[/\\]typescript\.js$/ }, ({ path }) => ({
      contents: asModule(fs.readFileSync(path, "utf8")),
      loader: "js",
    }));
    build.onLoad({ filter: /[/\\](kernel|site)[/\\]src[/\\].*\.ts$/ }, ({ path }) => ({
      contents: fs
        .readFileSync(path, "utf8")
        .replace(/^import ts from "typescript";$/m, 'import * as ts from "typescript";'),
      loader: "ts",
    }));
  },
};

module.exports = { onlyParser };
