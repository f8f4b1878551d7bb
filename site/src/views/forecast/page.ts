import { siteHere } from "../shared/ending";
import { onPage } from "../shared/onPage";
import { unpackedPool, type PackedPool } from "./packedPool";
import type { Pool } from "./run";
import { settings } from "./settings";
import { viewFor } from "./view";

async function load(): Promise<Pool> {
  const answer = await fetch(new URL("runs.json", document.baseURI));
  if (!answer.ok) throw new RangeError(`status ${answer.status}`);
  return unpackedPool((await answer.json()) as PackedPool);
}

onPage(viewFor(load, siteHere()), settings);
