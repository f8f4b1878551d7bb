import assert from "node:assert/strict";
import { resultText, sharedKernel } from "./with-kernel.js";

describe("inspection", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  before(async () => {
    const { status } = await kernel().execute(`/** How fast it learns. */
const learningRate = 0.1;
/** What walks. */
interface Strider { stride: number; step(far: number): void }
/** Which way. */
type Direction = "up" | "down";
/** The state of the light. */
enum Light { on, off }
/** Adds two numbers.
 * @param a the first
 */
function addUp(a: number, b: number): number { return a + b }
/** Walks about. */
class Rambler { /** Goes on. */ go() {} }
import { createHash as digest } from "node:crypto";`);
    assert.equal(status, "ok");
  });

  const inspect = async (code: string): Promise<string | undefined> => {
    const { content } = await kernel().request("shell", "inspect_request", { code, cursor_pos: code.length });
    return content.found ? String((content.data as Record<string, unknown>)["text/plain"]) : undefined;
  };

  it("finds nothing where nobody has declared the name, and says so when asked", async () => {
    assert.equal(await inspect("nobodyDeclaredThis"), undefined);
    const { reply } = await kernel().execute("nobodyDeclaredThis?");
    assert.match(JSON.stringify(reply.content.payload), /Nothing is known about nobodyDeclaredThis/);
  });

  it("shows an interface, a type and an enum of an earlier cell as they were declared", async () => {
    assert.equal(
      await inspect("Strider"),
      "interface Strider {\n    stride: number;\n    step(far: number): void;\n}\n\nWhat walks.",
    );
    assert.equal(await inspect("Direction"), 'type Direction = "up" | "down";\n\nWhich way.');
    assert.match(
      (await inspect("let l: Light"))!,
      /^enum Light \{\s+on = 0,\s+off = 1\s+\}\n\nThe state of the light\.$/,
    );
    assert.match(
      (await inspect("interface Own { x: number }\nlet o: Own"))!,
      /^interface Own \{ x: number \}/,
    );
  });

  it("keeps the comment of a variable, and shows an import as what it imports", async () => {
    assert.equal(await inspect("learningRate"), "const learningRate: 0.1\n\nHow fast it learns.");
    assert.match(
      (await inspect("addUp"))!,
      /^function addUp\(a: number, b: number\): number\n\nAdds two numbers\./,
    );
    assert.match(
      (await inspect("digest"))!,
      /^function digest\(algorithm: string, .*\): Hash\n\nCreates and returns a `Hash`/,
    );
    assert.equal(await inspect("({ learningRate: 1 }).learningRate"), "(property) learningRate: number");
  });

  it("is what help() reports about the notebook's own names, as text or as values", async () => {
    const help = async (asked: string): Promise<string> =>
      resultText(await kernel().execute(`help(${asked})`))!;
    for (const asked of ['"addUp"', "addUp"]) {
      const told = await help(asked);
      assert.match(
        told,
        /function addUp\(a: number, b: number\): number\n```\n\nAdds two numbers\.\n\nParameters: `a`: the first/,
      );
      assert.doesNotMatch(told, /return a \+ b/);
    }
    assert.match(await help('"Direction"'), /type Direction = "up" \| "down";\n```\n\nWhich way\./);
    assert.match(await help("new Rambler()"), /class Rambler[^]*Walks about\./);
    await kernel().execute(
      "/** Adds three. */ function addUp(a: number, b: number, c: number) { return a + b + c }",
    );
    assert.match(await help("addUp"), /c: number\)\n```\n\nAdds three\./);
  });
});
