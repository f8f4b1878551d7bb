/**
 * Replacement of lib/turnwise/src/tensor/fused/binary.ts in a site, which serves the compiled kernels as files: see
 * `setUpLibrary`.
 */
export const kernelSource = "";
export const binary = "";
export const relaxedBinary = "";
