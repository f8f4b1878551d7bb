/** One way in which a page is not like Node, and the tests of the Node kernel that notice it. */
interface Difference {
  /** What holds on Node. */
  readonly what: string;
  /** Why it does not hold in a page. */
  readonly why: string;
  /** Their full titles. */
  readonly tests: readonly string[];
}

/** All of them: a test that fails in a page and stands nowhere here fails the suite, and so does one that no longer fails. */
export const differences: readonly Difference[] = [
  {
    what: '`require("typescript")` in a cell',
    why: "TypeScript stands in the worker of types, which cells cannot reach",
    tests: [
      "the meaning of cells resolves node: modules, require, __dirname and import.meta from the notebook's folder",
    ],
  },
  {
    what: "local TypeScript files are compiled and imported",
    why: "a page has no folder beside the notebook whose files it could compile",
    tests: [
      "imports of cells finds local TypeScript without an extension, checked",
      "imports of cells loads a local file again when it has changed",
    ],
  },
  {
    what: "packages are found in `node_modules`",
    why: "a site serves the packages that were built into it",
    tests: [
      "imports of cells imports JSON, ES modules with top-level await, exports maps and sub paths",
      "imports of cells imports all names of a CommonJS package, even those no lexer can see",
    ],
  },
  {
    what: "a local file that cannot be imported is named with line and column",
    why: "the same: it is not compiled, but missing",
    tests: [
      "a local file that cannot be imported is named with line and column: lib/open.ts by ./lib/open",
      "a local file that cannot be imported is named with line and column: lib/open.ts by ./outer",
      "a local file that cannot be imported is named with line and column: bad.mjs by ./bad.mjs",
      "a local file that cannot be imported is named with line and column: bad.mjs by ./outer.mjs",
      "a local file that cannot be imported is named with line and column: bad.cjs by ./bad.cjs",
      "a local file that cannot be imported is named with line and column: bad.json by ./bad.json",
      "a local file that cannot be imported or that throws is shown with its own lines, also where it is logged",
    ],
  },
  {
    what: "`open` of `node:fs/promises`",
    why: "files of a page are read and written whole",
    tests: [
      "the stack of an error of a failed promise of Node, which may have no frame, holds the line that awaits it",
      "the stack of an error is shown in the cell that awaits in a cell of TypeScript's printer, too",
    ],
  },
];
