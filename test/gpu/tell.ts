import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { loadBackend } from "turnwise/tensor";
import { tf } from "turnwise";
import { cases, errorOf, someCases } from "./gradients.js";

/** What WebGPU computes, as `tell.js FOLDER` prints it, with `all` of every case. */
export interface Told {
  readonly alone: Awaited<ReturnType<typeof loadBackend>>;
  /** By the title of the case. */
  readonly errors: Readonly<Record<string, number>>;
  readonly read: { readonly atOnce: number; readonly later: number };
  readonly refusal: string;
  readonly both: Awaited<ReturnType<typeof loadBackend>>;
  readonly navigatorHasGpu: boolean;
}

async function tell(folder: string, all: boolean): Promise<Told> {
  const from = createRequire(path.join(folder, "package.json"));
  const places: Readonly<Record<string, () => string>> = {
    webgpu: () => path.join(folder, "node_modules", "webgpu", "index.js"),
    "@tensorflow/tfjs-backend-webgpu": () => from.resolve("@tensorflow/tfjs-backend-webgpu"),
  };
  const importPackage = (name: string): Promise<unknown> =>
    name in places ? import(pathToFileURL(places[name]!()).href) : import(name);
  const alone = await loadBackend({ only: "webgpu", importPackage });
  const errors: Record<string, number> = {};
  for (const [k, { title, row }] of (all ? cases() : someCases()).entries())
    errors[title] = await errorOf(row, 100 + k);
  const exp = (): tf.Tensor => tf.exp(tf.div(tf.range(0, 3000), 1000));
  const read = { atOnce: exp().dataSync()[2000]!, later: (await exp().data())[2000]! };
  const refusal = refused();
  const both = await loadBackend({ importPackage });
  return {
    ...{ alone, errors, read, refusal, both },
    navigatorHasGpu: "gpu" in ((globalThis as { navigator?: object }).navigator ?? {}),
  };
}

/** What reading says after a shader that does not compile. */
function refused(): string {
  const { device } = tf.backend() as unknown as {
    device: { createShaderModule(o: { code: string }): unknown };
  };
  device.createShaderModule({ code: "no shader" });
  try {
    tf.square(tf.range(0, 3000)).dataSync();
    return "nothing";
  } catch (error) {
    return (error as Error).message;
  }
}

if (require.main === module)
  tell(process.argv[2]!, process.argv[3] === "all").then(
    (told) => {
      console.log(`told ${JSON.stringify(told)}`);
    },
    (error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    },
  );
