import assert from "node:assert/strict";
import { resultText, sharedKernel, started } from "./with-kernel.js";

describe("input", function () {
  this.timeout(60_000);
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_TYPES: "off" } });

  it("asks the front end and gives its answer, a password without showing it", async () => {
    const asked: [string, boolean][] = [];
    const result = await kernel().execute(
      "const name = await input('Name? '); const word = await input('Password: ', { password: true }); name + '/' + word",
      {
        onInput: (prompt, password) => {
          asked.push([prompt, password]);
          return password ? "secret" : "Ada";
        },
      },
    );
    assert.deepEqual(asked, [
      ["Name? ", false],
      ["Password: ", true],
    ]);
    assert.equal(resultText(result), "'Ada/secret'");
  });

  it("is refused if the front end cannot ask", async () => {
    const result = await kernel().execute("await input('?')");
    assert.equal(
      result.error!.evalue,
      "Cannot ask for input: the front end must allow it, but allow_stdin is false.",
    );
  });

  it("can be interrupted while it waits", async () => {
    const { result } = await started(kernel(), "await input('never answered')", {
      allowStdin: true,
      onInput: () => new Promise<string>(() => undefined),
    });
    await kernel().interrupt();
    assert.equal((await result).error!.ename, "KernelInterrupt");
    assert.equal(resultText(await kernel().execute("1 + 1")), "2");
  });
});
