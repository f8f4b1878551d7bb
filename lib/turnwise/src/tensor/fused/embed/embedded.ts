/** The kernels embedded in a bundle for pages, as text; empty in one that neither trains nor has networks. */
export let binary = "";
export let relaxedBinary = "";

/** Gives the bundle the kernels. */
export function embed(plain: string, relaxed: string): void {
  binary = plain;
  relaxedBinary = relaxed;
}
