import assert from "node:assert/strict";
import path from "node:path";
import { ESLint } from "eslint";
import { root } from "../../support/paths";

describe("the lint of studies", function () {
  this.timeout(60_000);
  const eslint = new ESLint({ cwd: root });
  const complaints = async (
    code: string,
    file = "lib/course/src/05-off-policy-stability/claims.ts",
  ): Promise<string[]> => {
    const [result] = await eslint.lintText(code, { filePath: path.join(root, file) });
    return result!.messages.filter(({ ruleId }) => ruleId === "no-restricted-syntax").map((m) => m.message);
  };

  it("refuses a verdict that is written by hand, also behind a question", async () => {
    const written = [
      '"holds"',
      "`holds if ${x}`",
      'x ? "holds" : verdict({ equal: 1, of: 1 })',
      'x ? y : z ? "holds" : w',
      '"holds" as Verdict',
      "{ text } as unknown as Verdict",
    ];
    for (const each of written) {
      const found = await complaints(`export const row = { claim: "c", verdict: ${each} };\n`);
      assert.ok(found[0]?.startsWith("A verdict is decided by verdict(...)"), each);
    }
  });

  it("takes what verdict() decides, with literals among its own arguments", async () => {
    const decided = [
      "verdict({ effect, smallestEffectOfInterest: 0.05 })",
      'verdict({ conditions: [{ setting: { trap: "A" }, effect }], claims: "same" })',
      "decided.turn",
    ];
    for (const each of decided) {
      assert.deepEqual(await complaints(`export const row = { claim: "c", verdict: ${each} };\n`), [], each);
    }
  });

  it("lets nobody else make a verdict", async () => {
    const code = 'import { makeVerdict } from "../base/verdict";\nexport const x = makeVerdict;\n';
    assert.equal((await complaints(code)).length, 1);
    assert.equal((await complaints(code, "lib/turnwise/src/plot/ledger.ts")).length, 1);
    assert.equal((await complaints(code, "lib/turnwise/src/verdict/verdict.ts")).length, 0);
  });
});
