import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../support/paths.js";
import { Peer, pythonWith } from "./peer.js";

/** How a peer is started: what its Python must have, and its script. One thread for NumPy: the work has no more. */
const known = {
  torch: { script: "torch_peer.py", env: {} },
  jax: { script: "jax_peer.py", env: {} },
  numpy: { script: "numpy_peer.py", env: { OPENBLAS_NUM_THREADS: "1" } },
} as const;

type Name = keyof typeof known;
export type Peers = Partial<Record<Name, Peer>>;

/**
 * Writes down what all contenders are to do, starts the peers that are wanted and here, and ends them after `body`.
 *
 * @param o.spec what a peer reads; `folder` is for files beside it and goes away afterwards
 * @param o.script replaces the script of PyTorch
 */
export async function withPeers<X>(
  o: { readonly names: readonly Name[]; readonly script?: string; spec(folder: string): object },
  body: (peers: Peers) => Promise<X>,
): Promise<X> {
  const folder = mkdtempSync(join(tmpdir(), "turnwise-bench-"));
  const specFile = join(folder, "spec.json");
  writeFileSync(specFile, JSON.stringify(o.spec(folder)));
  const peers: Peers = {};
  for (const name of o.names) {
    const python = pythonWith(name);
    const { script, env } = known[name];
    const file = join(root, "test", "bench", "peers", (name === "torch" && o.script) || script);
    if (python) peers[name] = new Peer(python, [file, specFile], env);
  }
  try {
    return await body(peers);
  } finally {
    for (const peer of Object.values(peers)) peer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
