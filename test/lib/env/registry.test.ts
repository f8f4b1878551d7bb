import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isEnumerable, ResetNeededError, tMaze } from "turnwise/internal/env/index";
import {
  optionsTable,
  checkEnv,
  envInfo,
  make,
  register,
  type EnumerableEnv,
  optimalReturn,
  createRng,
  type Rng,
} from "turnwise";
import { world } from "turnwise/internal/env/world";
import { libraryWorlds } from "turnwise/internal/env/worlds";
import { root } from "../../support/paths";
import { expectTranscript } from "./transcript";

describe("make() and register()", () => {
  it("make() suggests the nearest id", () => {
    assert.throws(() => make("LookupV-v0"), {
      name: "RangeError",
      message: 'Cannot make "LookupV-v0": the id is not registered.\nDid you mean "LookUp-v0"?',
    });
  });

  it("make() names the versions that exist", () => {
    assert.throws(() => make("LookUp-v7"), {
      message: 'Cannot make "LookUp-v7": the id is not registered.\nIts versions are LookUp-v0.',
    });
  });

  it("register() refuses malformed and taken ids", () => {
    const factory = (): never => {
      throw new Error("not called");
    };
    assert.throws(() => register("lookup", factory), {
      message: 'Cannot register "lookup": an id must look like "Name-v0", got "lookup".',
    });
    assert.throws(() => register("LookUp-v0", factory), {
      message: `Cannot register "LookUp-v0": the library's own worlds cannot be replaced. Choose another name, such as "MyLookUp-v0".`,
    });
  });

  it("make() refuses to step before reset and after the end", () => {
    const env = make("LookUp-v0");
    assert.throws(() => env.step([0, 2]), {
      name: "ResetNeededError",
      message: "Cannot step LookUp-v0: no episode is running, reset was not called yet.",
    });
    env.reset({ seed: 0 });
    env.step([0, 2]);
    assert.throws(() => env.step([0, 2]), ResetNeededError);
  });

  it("maxTurns truncates, and enumeration counts the cut as the end", () => {
    const env = make("LookUp-v0", { maxTurns: 1, wrongPenalty: 0 });
    env.reset({ seed: 0 });
    assert.deepEqual(env.step([1, 2]).slice(2, 4), [false, true]);
    checkEnv(env);
    // One turn only: a blind answer, right one time in four.
    assert.ok(Math.abs(optimalReturn(env).J - 0.25) < 1e-15);
    assert.throws(() => make("LookUp-v0", { maxTurns: 3 }), {
      message: "Cannot limit LookUp-v0: maxTurns must be an integer in [1, 2], got 3.",
    });
  });

  it("register() needs a factory alone, and keeps what else it is told for menus and help", () => {
    register("RegistryTest-v0", (options) => tMaze(options));
    assert.deepEqual(envInfo("RegistryTest-v0"), {});
    checkEnv(make("RegistryTest-v0", { length: 1 }));
    register("RegistryTest-v1", () => tMaze(), { about: "a corridor", cheapToEnumerate: true });
    assert.deepEqual(envInfo("RegistryTest-v1"), { about: "a corridor", cheapToEnumerate: true });
    assert.throws(() => envInfo("RegistryTest-v2"), { name: "RangeError", message: /Its versions are/ });
  });
});

describe("the library's worlds", () => {
  it("are all that a file of lib/turnwise/src/env defines: one that worlds.ts does not list is not known", () => {
    const folder = path.join(root, "lib", "turnwise", "src", "env");
    const defined = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => [
        ...readFileSync(path.join(folder, name), "utf8").matchAll(/= world\(\{\n {2}id: "(.+)"/g),
      ])
      .map(([, id]) => id!);
    const listed: readonly string[] = libraryWorlds.map(({ id }) => id);
    for (const id of defined) {
      assert.ok(
        listed.includes(id),
        `${id} is defined in lib/turnwise/src/env and must be listed in lib/turnwise/src/env/worlds.ts`,
      );
    }
    assert.equal(defined.length, listed.length);
  });

  it("do not compile with a part left out", () => {
    const { policy: _, ...rest } = libraryWorlds[0];
    // @ts-expect-error -- policy is missing, without which the table has nothing to train
    world(rest);
    const { small: __, ...others } = libraryWorlds[0];
    // @ts-expect-error -- small is missing, without which nothing examines the optimum
    world(others);
  });

  for (const { id, skill, options } of libraryWorlds) {
    describe(id, () => {
      it("declares every option with its default and a sentence, and suggests the nearest name for a misspelled one", () => {
        const defaults = make(id).spec.options;
        assert.deepEqual(Object.keys(options.properties), Object.keys(defaults));
        for (const { option, help, default: initial } of optionsTable(id)) {
          assert.match(help, /^\S.*\.$/, option);
          assert.deepEqual(JSON.parse(initial), defaults[option], option);
          assert.throws(() => make(id, { [`${option}_`]: 1 }), {
            name: "RangeError",
            message: new RegExp(
              `^Cannot make ${id}: unknown option "${option}_"\\.\nDid you mean "${option}"\\?$`,
            ),
          });
        }
        assert.throws(() => make(id, { max_turns: 1 }), { message: /Did you mean "maxTurns"\?$/ });
      });

      it("names its skill, and has a transcript that a person can read", () => {
        assert.equal(make(id).spec.skill, skill);
        expectTranscript(id);
      });

      it("keeps the contract", () => checkEnv(make(id)));

      it("spec.options make the same environment", () => {
        const env = make(id);
        const again = make(id, env.spec.options);
        assert.deepEqual(again.spec, env.spec);
      });

      it("twins with the same seed and the same actions play the same 50 episodes", () => {
        const [a, b] = [make(id), make(id)];
        const play = (env: EnumerableEnv): string => {
          let text = JSON.stringify(env.reset({ seed: 9 }));
          for (let i = 0; i < 50; i++) {
            for (let turn = 0; ; turn++) {
              const action = env.actionSpace.sample(twin(i, turn));
              const result = env.step(action);
              text += JSON.stringify(result);
              if (result[2] || result[3]) break;
            }
            text += JSON.stringify(env.reset());
          }
          return text;
        };
        assert.ok(isEnumerable(a) && isEnumerable(b));
        assert.equal(play(a), play(b));
      });
    });
  }
});

function twin(episode: number, turn: number): Rng {
  return createRng(1).split("twin", episode, turn);
}
