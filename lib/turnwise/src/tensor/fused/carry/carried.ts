/** The kernels that a bundle for pages carries, as text; empty in one that neither trains nor has networks. */
export let binary = "";
export let relaxedBinary = "";

/** Gives the bundle the kernels. */
export function carry(plain: string, relaxed: string): void {
  binary = plain;
  relaxedBinary = relaxed;
}
