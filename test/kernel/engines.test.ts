import assert from "node:assert/strict";
import { join } from "node:path";
import { describeTypesBy } from "./typesBy.js";
import { plain, repository, resultText, sharedKernel } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

describeTypesBy("TypeScript's language service", () => checkerIn(join(repository, "kernel")));

describe("directives of tslab", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  it("@module makes a cell a module that others import", async () => {
    const defined = await kernel().execute(
      "/** @module shapes */\nexport const sides = (n: number): number => n + 1;\nexport class Square { size = 4 }",
    );
    assert.equal(defined.status, "ok", plain(defined.error?.traceback));
    const used = await kernel().execute(
      "import { sides, Square } from './shapes'\nsides(2) + new Square().size",
    );
    assert.equal(resultText(used), "7", plain(used.error?.traceback));
    const wrong = await kernel().execute("/** @module broken */\nexport const x: number = 'a'");
    assert.match(wrong.error!.evalue, /TS2322/);
  });

  it("@jsx turns elements into calls of React.createElement", async () => {
    const result = await kernel().execute(
      "/** @jsx */\nconst React = { createElement: (tag: string, props: object, ...children: unknown[]) => ({ tag, children }) }\nconst e = <b>text</b>;\ne.tag",
    );
    assert.equal(resultText(result), "'b'", plain(result.error?.traceback));
  });
});
