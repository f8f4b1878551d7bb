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
    what: "packages are found in `node_modules`",
    why: "a site serves the packages that were built into it",
    tests: [
      "imports of cells imports JSON, ES modules with top-level await, exports maps and sub paths",
      "imports of cells imports all names of a CommonJS package, even those no lexer can see",
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
  {
    what: "`%%module` refuses to write through a link",
    why: "files of a page have no links",
    tests: ["a cell that begins with %%module writes neither through links nor over folders"],
  },
  {
    what: "the type service is a process, which is started again when it dies",
    why: "a worker of the page does not die alone",
    tests: [
      "a cell that begins with %%module is known to a type service that had to be started again, as the file is now",
    ],
  },
  {
    what: "the command `turnwise` runs a plan that a cell has written",
    why: "files of a page are no files of the machine",
    tests: [
      "a module of the notebook on worker threads gives the same bits when the command turnwise runs a plan that names it",
    ],
  },
];
