// Uses internals of turnwise-practice.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { register, registeredIds, make } from "turnwise";
import { clientFile, clientNames } from "turnwise-practice/internal/serve/python/index";
import { removeTemporaryFolders, temporaryFolder, turnwiseEach } from "../../../support/command.js";
import { patient } from "../../../support/patient.js";
import { root } from "../../../support/paths.js";

const ids = registeredIds().filter((id) => /^[A-Z]\w+-v0$/.test(id));
const place = { url: "http://127.0.0.1:8000", command: "npx turnwise serve X" };
const goldens = join(root, "test", "fixtures", "clients");

describe("the clients of trainers", function () {
  this.timeout(patient(20_000));
  this.slow(3000);
  after(removeTemporaryFolders);

  it("are Python for every world and trainer, with a docstring and a type for everything that a model may call", () => {
    const files = ids.flatMap((id) => clientNames.map((client) => clientFile(id, client, place)));
    const folder = temporaryFolder();
    for (const { name, text } of files) writeFileSync(join(folder, name), text);
    const script = `
import ast, pathlib, sys
count = 0
for path in pathlib.Path(sys.argv[1]).glob("*.py"):
    tree = ast.parse(path.read_text(encoding="utf-8"), path.name)
    assert ast.get_docstring(tree), path
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef): assert ast.get_docstring(node), (path, node.name)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and "Returns:" in (ast.get_docstring(node) or ""):
            count += 1
            assert node.returns is not None and all(a.annotation for a in node.args.args[1:]), (path, node.name)
            for a in node.args.args[1:]: assert f"{a.arg}: " in ast.get_docstring(node), (path, node.name)
print(count)`;
    const methods = Number(execFileSync("python3", ["-c", script, folder], { encoding: "utf8" }));
    assert.equal(new Set(files.map(({ name }) => name)).size, ids.length * clientNames.length);
    // Four of the five have a method for each tool; verl has a class.
    const tools = ids.reduce((sum, id) => sum + (make(id).spec.tools?.length ?? 6), 0);
    assert.equal(methods, 4 * tools, "MatrixChain-v0 declares no tool: its six first words are the tools");
  });

  for (const client of clientNames) {
    it(`are what they were for LookUp-v0 and ${client}`, () => {
      const { name, text } = clientFile("LookUp-v0", client, {
        url: place.url,
        command: "npx turnwise serve LookUp-v0",
      });
      const file = join(goldens, name.replace(/\.py$/, ".txt"));
      if (process.env.WRITE_CLIENTS === "1") {
        mkdirSync(goldens, { recursive: true });
        writeFileSync(file, text);
      }
      assert.equal(text, readFileSync(file, "utf8"), "WRITE_CLIENTS=1 writes it again");
    });
  }

  it("name tools, classes and arguments as Python and the trainer allow", () => {
    register(
      "AwkwardNames-v0",
      () => {
        const env = make("LookUp-v0");
        const spec = {
          ...env.spec,
          tools: [
            {
              name: "get_reward",
              about: 'Says """quotes""" and a back\\slash.',
              parameters: [{ name: "from", about: "two\nlines", values: ["0", "1"] }],
              turn: ["ANSWER", { parameter: "from" }],
            },
            { name: "2-nd", about: "Looks.", parameters: [], turn: ["LOOKUP", "0"] },
          ],
        };
        return Object.create(env, { spec: { value: spec } }) as typeof env;
      },
      { about: "Awkward names." } as never,
    );
    const { text } = clientFile("AwkwardNames-v0", "trl", place);
    assert.match(text, /def get_reward_\(self, from_: Literal\["0", "1"\]\) -> str:/);
    assert.match(text, /from_: Two lines; one of 0, 1\.\n/);
    assert.match(text, /_session\.call\("get_reward", \{"from": from_\}\)/);
    assert.match(text, /def tool_2_nd\(self\) -> str:[^]*_session\.call\("2-nd", \{\}\)/);
    for (const client of clientNames) {
      const file = join(temporaryFolder(), "awkward.py");
      writeFileSync(file, clientFile("AwkwardNames-v0", client, place).text);
      execFileSync("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", file]);
    }
  });

  it("take one tool for a text where the world's turns begin with any word", () => {
    register(
      "Wordy-v0",
      () => {
        const env = make("LookUp-v0");
        const { tools: _tools, syntax: _syntax, ...spec } = env.spec;
        return Object.create(env, { spec: { value: spec } }) as typeof env;
      },
      { about: "Free words." } as never,
    );
    const { text } = clientFile("Wordy-v0", "trl", place);
    assert.match(text, /def act\(self, text: str\) -> str:/);
  });

  it("are written by the command, which replaces no file without being told and names the closest trainer", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "lookup_verl.py");
    const write = ["serve", "LookUp-v0", "--client", "verl", "--write", folder, "--port", "9000"];
    const [unknown, first, again, forced, lone, printed] = await turnwiseEach([
      ["serve", "LookUp-v0", "--client", "verifier"],
      write,
      write,
      [...write, "--force"],
      ["serve", "LookUp-v0", "--write", folder],
      ["serve", "LookUp-v0", "--client", "TRL", "--options", '{"facts": 6}'],
    ]);
    assert.match(
      unknown!.stderr,
      /^Cannot write a client of LookUp-v0: --client must be one of trl, verifiers, verl, skyrl, openenv, got "verifier"\.\nDid you mean "verifiers"\?$/m,
    );
    assert.equal(
      first!.stdout,
      `Wrote ${file}. Serve the world by: npx turnwise serve LookUp-v0 --port 9000\n`,
    );
    assert.ok(existsSync(file) && readFileSync(file, "utf8").includes('"http://127.0.0.1:9000"'));
    assert.match(again!.stderr, /^Cannot write .*lookup_verl\.py: the file exists; --force replaces it\.$/m);
    assert.deepEqual([unknown!.code, again!.code, forced!.code], [1, 1, 0]);
    assert.match(lone!.stderr, /^Cannot serve LookUp-v0: --write belongs to --client, which is missing\.$/m);
    assert.match(printed!.stdout, /npx turnwise serve LookUp-v0 --options '\{"facts": 6\}'/);
    assert.match(printed!.stdout, /value: Literal\["0", "1", "2", "3", "4", "5"\]/);
  });
});
