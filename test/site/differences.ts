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
    why: "a site serves only the packages built into it",
    tests: [
      "imports of cells imports JSON, ES modules with top-level await, exports maps and sub paths",
      "imports of cells imports all names of a CommonJS package, even those no lexer can see",
      "completion of a name that nothing has imported adds that of an installed package's name, and of the package itself",
      "display shows a tensor with type, shape and values, and a matrix also as a heat map",
    ],
  },
  {
    what: "`%install` installs an npm package into the notebook's folder",
    why: "a page has no npm: the error explains how to build a site with the package",
    tests: [
      "magics that install put a package into the notebook's folder, where the next cell finds it with its types",
      "magics that install ask a registry for a version, its types and what it depends on, and say what that does not have",
      "magics that install say what to do when the registry cannot be reached",
      "imports of cells says which module is missing",
    ],
  },
  {
    what: "`!`, `%%sh` and child processes run commands",
    why: "a page has no processes",
    tests: [
      "execute_request carries output of child processes and of native code, which bypasses console",
      "magics that run commands print what a command writes, in order, on both streams",
      "magics that run commands tell of an exit code, keep it, and go on",
      "magics that run commands run the lines of a cell as one script, and a cell may hold several commands",
      "magics that run commands run what is no known name, and refuse a command that is missing",
      "magics that run commands run in the folder that %cd chooses, with the environment that %env sets",
      "magics that run commands end at an interrupt with what they have started, and what was printed stays",
      "magics that fill in a command put the value of a name or an expression, of this cell or an earlier one, in its place",
      "magics that fill in a command leave to the shell what is its own",
    ],
  },
  {
    what: "a promise is shown with its value",
    why: "only the engine knows the value, and no browser reveals it",
    tests: ["display asks after a forgotten await where a promise is the value of a cell"],
  },
  {
    what: "`open` of `node:fs/promises`",
    why: "a page reads and writes files only as a whole",
    tests: [
      "the stack of an error of a failed promise of Node, which may have no frame, holds the line that awaits it",
      "the stack of an error is shown in the cell that awaits in a cell of TypeScript's printer, too",
    ],
  },
  {
    what: "`%%module` refuses to write through a link",
    why: "a page's file system has no links",
    tests: ["a cell that begins with %%module writes neither through links nor over folders"],
  },
  {
    what: "the type service is a process, restarted if it dies",
    why: "a page's worker does not die alone",
    tests: [
      "a cell that begins with %%module is known to a type service that had to be started again, as the file is now",
    ],
  },
  {
    what: "files that cells or the kernel write are on disk, where other programs find them",
    why: "a page's files are in the browser",
    tests: [
      "a module of the notebook on worker threads gives the same bits when the command turnwise runs a plan that names it",
      "output of a cell that is large is whole in a file, with a link, when the notebook shows its head and its end",
      "output of a cell that is large leaves no file of a cell whose whole output is shown",
      "output of a cell that is large is a link to a file beyond the limit of a display",
    ],
  },
];
