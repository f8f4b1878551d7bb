import { verifiers, type VerifierName } from "./fallibleVerifier";
import { verifierRun, type VerifierPoint } from "./verifierRun";

/** Runs with seeds 0, 1, 2, ... by the name of the verifier that paid them. */
export type VerifierRuns = Readonly<Record<VerifierName, readonly (readonly VerifierPoint[])[]>>;

/** Trains on the word of each verifier, with seeds 0, 1, 2, ... */
export async function trainOnVerifiers(seeds: number, updates = 200): Promise<VerifierRuns> {
  const runs = {} as Record<VerifierName, VerifierPoint[][]>;
  for (const verifier of Object.keys(verifiers) as VerifierName[]) {
    runs[verifier] = [];
    for (let seed = 0; seed < seeds; seed++) {
      runs[verifier].push(await verifierRun({ verifier, seed, updates }));
    }
  }
  return runs;
}
