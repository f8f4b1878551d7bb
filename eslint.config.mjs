import js from "@eslint/js";
import tseslint from "typescript-eslint";
import wordList from "./.ci/words.cjs";

const ownBits =
  "Take it from lib/turnwise/src/base/elementary/: engines compute it with other last bits, and chaotic runs are told apart by one";
/** Functions that IEEE 754 leaves open, so that engines differ; a square root is exact. */
const enginesOwn = [
  "exp",
  "expm1",
  "log",
  "log1p",
  "log2",
  "log10",
  "pow",
  "cbrt",
  "hypot",
  "sin",
  "cos",
  "tan",
  "asin",
].concat(["acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"]);

const unseeded =
  "Draw from an Rng (lib/turnwise/src/base/rng.ts): unseeded randomness breaks reproducible runs";

/**
 * A file over 300 lines either divides along an idea, or its first comment says why it is one thing. Only a reason that is
 * written down can be read and questioned; splitting for the number's sake helps nobody.
 */
const oneFile = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: {
      long:
        "{{lines}} lines, more than 300: divide the file along an idea, or begin it with a comment that starts with " +
        '"One file because" and says why it is one thing.',
    },
  },
  create: (context) => ({
    Program(node) {
      const { sourceCode } = context;
      const lines = sourceCode.lines.length - (sourceCode.lines.at(-1) === "" ? 1 : 0);
      const [head] = sourceCode.getAllComments();
      const atTop = head && head.range[1] <= (node.body[0]?.range[0] ?? Infinity);
      if (lines > 300 && !(atTop && /^[\s*]*One file because \S/.test(head.value)))
        context.report({ loc: { line: 1, column: 0 }, messageId: "long", data: { lines } });
    },
  }),
};

/** Also sees `const { exp } = Math` and `Math["exp"]`. */
const ownBitsRule = {
  meta: { type: "problem", schema: [], messages: { engine: `{{what}}: ${ownBits}` } },
  create(context) {
    const refuse = (node, what) => context.report({ node, messageId: "engine", data: { what } });
    const isMath = (node) =>
      (node?.type === "Identifier" && node.name === "Math") ||
      (node?.type === "MemberExpression" &&
        node.object.name === "globalThis" &&
        node.property.name === "Math");
    return {
      MemberExpression(node) {
        const name = node.computed ? node.property.value : node.property.name;
        if (isMath(node.object) && (enginesOwn.includes(name) || (node.computed && name === undefined)))
          refuse(node, context.sourceCode.getText(node));
      },
      VariableDeclarator(node) {
        if (isMath(node.init)) refuse(node, "Math under another name");
      },
      SpreadElement(node) {
        if (isMath(node.argument)) refuse(node, "...Math");
      },
      "BinaryExpression[operator='**']": (node) => refuse(node, "**"),
      "AssignmentExpression[operator='**=']": (node) => refuse(node, "**="),
    };
  },
};

/** The rooms whose internals a test may import because it lies in their folder: `turnwise/internal/rule` in test/lib/rule. */
function ownRooms(file) {
  const [, room] = /\/test\/lib\/([^/]+)\//.exec(file) ?? [];
  if (room === "practice" || room === "course") return [`turnwise-${room}`];
  if (room) return [`turnwise/${room}`];
  if (/\/test\/site\//.test(file)) return ["turnwise-site"];
  return /\/test\/(kernel|cli|runner|protocol)\//.test(file) ? ["turnwise-kernel"] : [];
}

/**
 * Tests import packages by their public names, so that moving or renaming what is inside changes the unit tests of that room alone. Another
 * file that needs internals says so at its top: `// Uses internals of turnwise/exact, turnwise-kernel/runner.`
 */
const publicNames = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      internal:
        "Import from a public name ({{name}}, or a tier such as {{name}}/exact), or begin the file with `// Uses internals of {{room}}.`",
      unused: "Nothing of {{room}} is imported here: take it off the list",
    },
  },
  create(context) {
    const { sourceCode } = context;
    const mark = sourceCode
      .getAllComments()
      .map(({ value }) => /^ Uses internals of (.*)\.$/.exec(value)?.[1])
      .find((found) => found !== undefined);
    const marked = mark?.split(", ") ?? [];
    const allowed = ownRooms(context.filename.replaceAll("\\", "/"));
    const used = new Set();
    const look = (node) => {
      const [, name, folder] =
        /^(turnwise|turnwise-practice|turnwise-course|turnwise-kernel|turnwise-site)\/(?:internal|dist)\/([^/]+)/.exec(
          node.source?.value ?? "",
        ) ?? [];
      if (!name) return;
      // The two others are small: their tests need not say which folder of them they mean.
      const room = /practice|course/.test(name) ? name : `${name}/${folder}`;
      used.add(room);
      if (![room, name].some((one) => allowed.includes(one)) && !marked.includes(room))
        context.report({ node, messageId: "internal", data: { name, room } });
    };
    return {
      ImportDeclaration: look,
      ExportNamedDeclaration: look,
      ExportAllDeclaration: look,
      ImportExpression: look,
      "Program:exit"(node) {
        for (const room of marked)
          if (!used.has(room)) context.report({ node, messageId: "unused", data: { room } });
      },
    };
  },
};

/** Calls that take away what a file held before the new content is safe. */
const inPlace = /^(writeFile|createWriteStream|f?truncate|copyFile|cp)(Sync)?$/;

/**
 * A write in place loses a user's file where the disk is full or the process is killed. Where nothing can be lost, a comment right above says
 * why: `// In place: the connection file is ours, and new.`
 */
const wholeFiles = {
  meta: {
    type: "problem",
    schema: [],
    messages: {
      inPlace:
        "{{name}} destroys a file before the new content is safe: use replaceFile (kernel/bootstrap/replace-file.cjs, " +
        "lib/turnwise/src/base/host/files/replaceFile.ts), or say right above why nothing can be lost: // In place: ...",
    },
  },
  create(context) {
    const { sourceCode } = context;
    const marked = new Set();
    for (const { value, loc } of sourceCode.getAllComments())
      if (/^[\s*]*In place: \S/.test(value))
        for (let line = loc.start.line; line <= loc.end.line + 1; line++) marked.add(line);
    return {
      CallExpression(node) {
        const { callee } = node;
        const name =
          callee.type === "MemberExpression" ? (callee.property.name ?? callee.property.value) : callee.name;
        const flags = node.arguments[1];
        const opened =
          /^open(Sync)?$/.test(name) && flags?.type === "Literal" && /^w[^x]*$/.test(flags.value);
        if ((inPlace.test(name) || opened) && !marked.has(node.loc.start.line))
          context.report({ node, messageId: "inPlace", data: { name } });
      },
    };
  },
};

/** Retired words in comments and strings, and how docstrings and `help` texts begin; .ci/words.cjs has the list. */
const retiredWords = {
  meta: {
    type: "suggestion",
    schema: [],
    messages: {
      word: 'Retired: "{{words}}". Write {{instead}} (.ci/words.cjs)',
      opening: `"{{word}}" does not start a docstring or a help text: write ${wordList.openingAdvice} (.ci/words.cjs)`,
    },
  },
  create(context) {
    const { sourceCode } = context;
    const look = (node, text, options) => {
      for (const { words: found, instead } of wordList.retiredIn(text, options))
        context.report({ loc: node.loc, messageId: "word", data: { words: found, instead } });
    };
    // One or two words are names. Stored outputs of lessons hold the texts of lib/course, and tests hold any text.
    const checksTexts = !/[\\/](?:test|lib[\\/]course)[\\/]/.test(context.filename);
    const lookAtText = (node, text) => {
      if (checksTexts && text.trim().split(/\s+/).length > 2) look(node, text, { percent: false });
    };
    const expectOpening = (node, text) => {
      const start = text.replace(/^[\s*]+/, "").replace(/\n\s*\* ?/g, " ");
      if (wordList.opening.test(start))
        context.report({ loc: node.loc, messageId: "opening", data: { word: start.split(" ")[0] } });
    };
    return {
      Program() {
        for (const comment of sourceCode.getAllComments()) {
          look(comment, wordList.prose(comment.value.replace(/\n\s*(?:\*|\/\/) ?/g, " ")));
          if (
            comment.type === "Block" &&
            comment.value.startsWith("*") &&
            !/[\\/]test[\\/]/.test(context.filename)
          )
            expectOpening(comment, comment.value);
        }
      },
      Literal(node) {
        if (typeof node.value === "string") lookAtText(node, node.value);
      },
      TemplateLiteral(node) {
        lookAtText(node, node.quasis.map(({ value }) => value.cooked ?? "").join("…"));
      },
      'Property[key.name="help"] > Literal.value': (node) => expectOpening(node, String(node.value)),
    };
  },
};
const house = {
  rules: {
    "retired-words": retiredWords,
    "one-file": oneFile,
    "own-bits": ownBitsRule,
    "public-names": publicNames,
    "whole-files": wholeFiles,
  },
};

/** Verdicts are decided from data by `verdict(...)`; a row may not say what was not computed. */
const decidedByHand =
  "A verdict is decided by verdict(...) of lib/turnwise/src/verdict from what was measured: no row states it by hand";
const onlyDecider = { selector: 'ImportSpecifier[imported.name="makeVerdict"]', message: decidedByHand };
const words = ":matches(Literal, TemplateLiteral)";
const choice = ":matches(ConditionalExpression, LogicalExpression)";
const writtenVerdicts = [
  `> ${words}`,
  `> TSAsExpression`,
  `> ${choice} > ${words}`,
  `> ${choice} > ${choice} > ${words}`,
].map((inside) => ({ selector: `Property[key.name="verdict"] ${inside}`, message: decidedByHand }));

export default tseslint.config(
  {
    ignores: [
      "**/dist/",
      "lib/*/esm/",
      "lib/course/datasets/",
      "build/",
      ".venv/",
      ".turnwise/",
      "**/.ipynb_checkpoints/",
      // What cells with %%module write.
      "notebooks/**/*.ts",
      "lib/turnwise/vendor/tfjs-gradients/index.js",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    rules: {
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/explicit-module-boundary-types": "error",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["{lib/*,kernel,site}/src/**/*.ts"],
    ignores: ["kernel/src/widgets/generated.ts", "lib/turnwise/src/tensor/fused/binary.ts"],
    plugins: { house },
    rules: { "house/one-file": "error" },
  },
  {
    files: [
      "{lib/*,kernel}/src/**/*.ts",
      "lib/turnwise/bin/**/*.cjs",
      "kernel/bootstrap/**/*.cjs",
      ".ci/**/*.cjs",
    ],
    plugins: { house },
    rules: { "house/whole-files": "error" },
  },
  {
    files: ["lib/*/src/**/*.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        { object: "Math", property: "random", message: unseeded },
        ...["multinomial", "randomNormal", "randomUniform", "truncatedNormal", "dropout"].map((property) => ({
          object: "tf",
          property,
          message: unseeded,
        })),
      ],
    },
  },
  {
    files: ["test/**/*.ts"],
    plugins: { house },
    rules: { "house/public-names": "error" },
  },
  {
    files: ["**/*.ts", "**/*.js", "**/*.cjs", "**/*.mjs"],
    ignores: [
      ".ci/words.cjs",
      "kernel/src/widgets/generated.ts",
      "lib/turnwise/vendor/**",
      "lib/turnwise/moved/**",
    ],
    plugins: { house },
    rules: { "house/retired-words": "error" },
  },
  {
    // Charts as well: what a notebook shows is compared between browsers digit by digit.
    files: ["lib/*/src/**/*.ts"],
    plugins: { house },
    rules: {
      "house/own-bits": "error",
    },
  },
  {
    files: ["{lib/*,kernel,site}/src/**/*.ts"],
    ignores: ["lib/turnwise/src/verdict/verdict.ts"],
    rules: { "no-restricted-syntax": ["error", onlyDecider] },
  },
  {
    files: ["lib/course/src/**/*.ts"],
    rules: { "no-restricted-syntax": ["error", onlyDecider, ...writtenVerdicts] },
  },
  {
    files: ["kernel/src/{session,display,widgets,help}/**/*.ts"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: ["node:async_hooks", "async_hooks"].map((name) => ({
            name,
            message:
              "On Node 20 and 22 the session aborts when V8 terminates a cell while async_hooks are in use",
          })),
        },
      ],
    },
  },
  {
    files: ["**/*.cjs", "**/*.mjs", "lib/turnwise/vendor/**/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "require",
          "module",
          "exports",
          "process",
          "console",
          "__dirname",
          "__filename",
          "fetch",
          "URL",
          "Buffer",
          "setTimeout",
          "clearTimeout",
          "setInterval",
          "clearInterval",
        ].map((name) => [name, "readonly"]),
      ),
    },
    rules: {
      "@typescript-eslint/no-require-imports": "off",
      "@typescript-eslint/explicit-module-boundary-types": "off", // JavaScript has no place for them
      "@typescript-eslint/no-unused-vars": [
        "error",
        { argsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" },
      ],
    },
  },
  {
    files: ["site/static/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "self",
          "document",
          "TextDecoder",
          "caches",
          "Headers",
          "Response",
          "navigator",
          "localStorage",
          "sessionStorage",
          "location",
          "URL",
          "fetch",
          "console",
          "setTimeout",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
  {
    files: ["kernel/labextension/**/*.js"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "window",
          "document",
          "getComputedStyle",
          "requestAnimationFrame",
          "cancelAnimationFrame",
          "Image",
          "MutationObserver",
          "URL",
          "module",
          "Blob",
          "crypto",
          "console",
          "AbortSignal",
          "AbortController",
          "structuredClone",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
);
