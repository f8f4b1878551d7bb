/** Node finds the kernels where it needs them: only bundles for pages are the smaller without them. */
export {};
