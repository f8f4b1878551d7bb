import assert from "node:assert/strict";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import MarkdownIt from "markdown-it";
import * as turnwise from "turnwise";
import { indexOf } from "turnwise-kernel/dist/help/api-index.js";
import { DeclarationReader, type Declared } from "turnwise-kernel/dist/help/declarations.js";
import { parseDocComment } from "turnwise-kernel/dist/help/docComment.js";
import { installedHelp, onDisk } from "turnwise-kernel/dist/help/installed.js";
import { suggest } from "turnwise-kernel/dist/help/suggest.js";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { plain, repository, sharedKernel } from "./with-kernel.js";

describe("help", () => {
  const declarationsOf = (...path: string[]): Map<string, Declared> =>
    new DeclarationReader(onDisk(repository)).exportsOf(join(repository, ...path));
  const declared = declarationsOf("lib", "turnwise", "dist", "index.d.ts");
  const help = installedHelp({}, repository);
  after(removeTemporaryFolders);
  const about = (what: unknown): string => String(help.about(what));

  it("reports the magic lines", () => {
    assert.match(about("%%module"), /%%module mine\.ts \[--force\]\n```\n\nWrites the cell to a file/);
    assert.match(about("%types"), /%types strict \| error \| warn \| off/);
    assert.match(about("%%modul"), /Did you mean %%module/);
  });

  it("reads a comment's text and tags, and leaves an @ inside a code block alone", () => {
    const comment = [
      "/**",
      " * First {@link other}.",
      " *",
      " * ```",
      " * @decorated x",
      " * ```",
      " * @see A paper,",
      " *   Eq. 1",
      " * @throws never",
      " */",
    ].join("\n");
    assert.deepEqual(parseDocComment(comment), {
      text: "First `other`.\n\n```\n@decorated x\n```",
      tags: [
        { name: "see", text: "A paper,\n  Eq. 1" },
        { name: "throws", text: "never" },
      ],
    });
    assert.deepEqual(parseDocComment("/** One line. */"), { text: "One line.", tags: [] });
  });

  it("lists the options of a function, with what they may be, from where they are declared", () => {
    const text = about("train");
    assert.match(text, /- `groupSize`: an integer of at least 1, `8` unless given\. /);
    assert.match(about("recipe"), /- `gate\.clipHigh`: above 0, `0\.2` unless given\. /);
  });

  it("reports a world by its id, and a policy by its kind, though neither is an exported name", () => {
    const world = about("LookUp-v0");
    assert.ok(world.startsWith(`LookUp-v0\n\n${turnwise.envInfo("LookUp-v0").about}`), world);
    assert.match(world, /- `facts`: an integer from 2 to 100, `4` unless given\. /);
    assert.match(about("gru"), /- `width`: an integer of at least 1, `32` unless given\. /);
    assert.equal(about("LookUpp-v0"), "Nothing is known about LookUpp-v0. Did you mean LookUp-v0?");
  });

  it("knows every name that the library exports at run time", () => {
    const missing = Object.keys(turnwise).filter((name) => !declared.has(name));
    // `tf` is another package's namespace, handed on.
    assert.deepEqual(
      missing.filter((name) => name !== "tf"),
      [],
    );
  });

  it("is Markdown that swallows nothing: in no docstring does an equation turn into emphasis or a tag", () => {
    const markdown = new MarkdownIt({ html: true });
    const kernel = declarationsOf("kernel", "dist", "index.d.ts");
    const structure = /<\/?(p|pre|code|ul|ol|li|br|table|thead|tbody|tr|th|td)( [^>]*)?>/g;
    for (const [name, { text, tags }] of [...declared, ...kernel]) {
      for (const part of [text, ...tags.filter((tag) => tag.name !== "example").map((tag) => tag.text)]) {
        const odd =
          markdown
            .render(part)
            .replace(structure, "")
            .match(/<[^>]+>/g) ?? [];
        assert.deepEqual(odd, [], `${name}: ${part}`);
      }
    }
  });

  it("shows signature, equation, source and neighbors of a function, by name and by value", () => {
    for (const text of [about("groupAdvantage"), about(turnwise.groupAdvantage)]) {
      assert.match(text, /function groupAdvantage\(reward: ArrayLike<number>/);
      assert.match(text, /mean: {9}A_i = R_i - mean_group\(R\)/);
      assert.match(text, /Source: GRPO, arXiv 2402\.03300/);
      assert.match(text, /Throws: TypeError if the lengths differ; RangeError /);
      assert.match(text, /See also: `GroupAdvantageOptions`/);
    }
  });

  it("shows a recipe with its equation, by name, by row and by changed row", () => {
    const { recipe } = turnwise;
    for (const what of ["seeUpo", recipe("seeUpo"), recipe("seeUpo", { scale: "batch" })]) {
      const page = help.about(what) as { [Symbol.toStringTag]?: string };
      const bundle = (page as unknown as Record<symbol, () => Record<string, string>>)[
        Symbol.for("Jupyter.display")
      ]!();
      assert.match(bundle["text/markdown"]!, /\$\$.*M_\{?t.*\$\$/s);
      assert.match(bundle["text/plain"]!, /Source: arXiv 2602\.06554, Eq\. 3-9/);
    }
  });

  it("shows the class of an object, and all signatures of an overloaded function", () => {
    assert.match(about(turnwise.liveCurve({ metric: "reward/mean" })), /^```typescript\nclass LiveCurve \{/);
    assert.match(
      about("checkExercise"),
      /function checkExercise\(exercise: "oneKnob".*\n.*function checkExercise</s,
    );
  });

  it("says which tier exports a name, and has help for types that none exports", () => {
    const titleOf = (name: string): string =>
      (help.about(name) as Record<symbol, () => Record<string, string>>)[Symbol.for("Jupyter.display")]!()[
        "text/markdown"
      ]!.split("\n")[0]!;
    assert.equal(titleOf("exactRule"), "**`exactRule`** of `turnwise/exact`");
    assert.equal(titleOf("enumerateReturn"), "**`enumerateReturn`** of `turnwise`");
    assert.match(about("GroupAdvantageOptions"), /interface GroupAdvantageOptions \{/);
    assert.equal(
      about("GroupAdvantageOption"),
      "Nothing is known about GroupAdvantageOption. Did you mean groupAdvantage?",
    );
  });

  it("links to the page that npm run docs writes of a name, and says so where there is none yet", () => {
    const checkout = temporaryFolder();
    const docs = join(checkout, "build", "docs");
    const packageFile = join(checkout, "lib", "package.json");
    mkdirSync(join(checkout, "lib"));
    writeFileSync(packageFile, "{}");
    assert.equal(indexOf(packageFile, "turnwise", "train"), undefined, "an installed package");
    writeFileSync(join(checkout, "typedoc.json"), "{}");
    assert.match(indexOf(packageFile, "turnwise", "train")!, /^`npm run docs` writes an index/);
    for (const page of ["functions/index.train.html", "classes/exact.Tree.html", "index.html"]) {
      mkdirSync(join(docs, dirname(page)), { recursive: true });
      writeFileSync(join(docs, page), "");
    }
    const pageOf = (tier: string, name: string): string => indexOf(packageFile, tier, name)!;
    const train = join(realpathSync(docs), "functions", "index.train.html");
    assert.equal(pageOf("turnwise", "train"), `[${train}](${pathToFileURL(train).href})`);
    assert.match(pageOf("turnwise/exact", "Tree"), /^\[.*exact\.Tree\.html\]/);
    assert.match(pageOf("turnwise", "unknown"), /^\[.*docs.index\.html\]/);
    assert.match(about("train"), /\n\nIndex: (`npm run docs` writes an index|\/|[A-Z]:)/);
  });

  it("suggests names near to an unknown one, recipes among them", () => {
    assert.equal(
      about("grupAdvantage"),
      "Nothing is known about grupAdvantage. Did you mean groupAdvantage?",
    );
    assert.match(about("seeUPO2"), /Did you mean seeUpo/);
    assert.equal(about("qqqqqq"), "Nothing is known about qqqqqq.");
    assert.equal(about(42), "Nothing is known about 42.");
    assert.equal(about([1, 2]), "Nothing is known about [ 1, 2 ].");
  });

  it("reports an option by its name, its path or a choice's value, and how it is written where it belongs", () => {
    for (const name of ["clipHigh", "gate.clipHigh"]) {
      assert.match(
        about(name),
        /^clipHigh\n\n`gate\.clipHigh` of a rule's row with `gate: "clip"`: above 0, `0\.2` unless given\./,
      );
      assert.match(about(name), /Written: `recipe\("grpo", \{ gate: \{ clipHigh: 0\.2 \} \}\)`/);
    }
    assert.match(about("groupSize"), /Written: `train\(\{ \.\.\., groupSize: 8 \}\)`/);
    assert.match(about("facts"), /Written: `make\("LookUp-v0", \{ facts: 4 \}\)`/);
    assert.match(about("width"), /of a policy of kind `gru`/);
    assert.match(about("dualClip"), /^dualClip\n/);
    assert.match(about("clip"), /^gate\n\n`gate` of a rule's row: "none" or "unclipped" or "clip"/);
  });

  it("reports a metric: unit, when to worry, and what verl and TRL call it", () => {
    const text = about("policy/entropy");
    assert.match(text, /^policy\/entropy\n\nMean entropy of the next-token distribution/);
    assert.match(text, /Unit: nats per token\.\n\nWorry when it collapses/);
    assert.match(
      text,
      /verl logs it as `actor\/entropy` or `actor\/entropy_loss`; TRL logs it as `entropy`\./,
    );
  });

  it("gives a misspelled option or metric the nearest, and any other word where it is mentioned", () => {
    assert.equal(about("clipHgh"), "Nothing is known about clipHgh. Did you mean clipHigh?");
    assert.match(about("policy/aproxKl"), /Did you mean policy\/approxKl/);
    assert.match(
      about("estimate"),
      /^Nothing is known about estimate\..* It is mentioned in .*policy\/approxKl/,
    );
  });

  it("suggests names a few edits away, or with the typed text in them", () => {
    // kitten -> sitten -> sittin: two edits, and a third of six letters may be wrong.
    assert.deepEqual(suggest("kitten", ["sitting", "sittin", "mitten"]), ["mitten", "sittin"]);
    assert.deepEqual(suggest("advantage", ["gae", "groupAdvantage", "advantages"]), [
      "advantages",
      "groupAdvantage",
    ]);
  });

  describe("in a cell", function () {
    this.timeout(90_000);
    const kernel = sharedKernel({ cwd: join(repository, "notebooks") });
    const show = async (code: string): Promise<Record<string, unknown>> => {
      const result = await kernel().execute(code);
      assert.equal(result.status, "ok", plain(result.error?.traceback));
      const output = result.outputs.find((one) => one.output_type === "execute_result");
      assert.ok(output && "data" in output);
      return output.data;
    };

    it("needs no import, and answers in Markdown and plain text", async () => {
      const data = await show("help('groupAdvantage')");
      assert.match(String(data["text/markdown"]), /\*\*Source\*\* GRPO/);
      assert.match(String(data["text/plain"]), /Source: GRPO/);
      const bySelf = await show("import { groupAdvantage as same } from 'turnwise'; help(same)");
      assert.deepEqual(bySelf, data);
    });

    it("knows the kernel's own names and itself", async () => {
      assert.match(String((await show("help(progress)"))["text/plain"]), /A progress bar over `total` steps/);
      assert.match(String((await show("help(help)"))["text/plain"]), /Shows documentation/);
    });

    it("is what hovering shows: the docstring with its equation", async () => {
      const code = "import { groupAdvantage } from 'turnwise'; groupAdvantage";
      const reply = await kernel().request("shell", "inspect_request", {
        code,
        cursor_pos: code.length,
        detail_level: 0,
      });
      assert.equal(reply.content.found, true);
      const data = reply.content.data as Record<string, string>;
      assert.match(data["text/markdown"]!, /```\nmean: {9}A_i = R_i - mean_group\(R\)/);
      assert.match(data["text/markdown"]!, /GRPO, arXiv 2402\.03300/);
    });
  });
});
