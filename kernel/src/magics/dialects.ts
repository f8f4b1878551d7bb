/** Kernel whose notebooks the cells are read as. */
export type Dialect = "typescript" | "javascript" | "deno";

/** All of them, as `%dialect` and `TURNWISE_DIALECT` name them. */
export const dialects: readonly Dialect[] = ["typescript", "javascript", "deno"];

/** Names of other kernels, as they stand in notebooks. */
const kernels: Record<string, Dialect> = {
  turnwise: "typescript",
  tslab: "typescript",
  typescript: "typescript",
  javascript: "javascript",
  ijavascript: "javascript",
  jslab: "javascript",
  nodejs: "javascript",
  ".net-javascript": "javascript",
  deno: "deno",
};

/** The dialect of a kernel by its name in a notebook; undefined for one that is not known. */
export const dialectOf = (kernel: string): Dialect | undefined =>
  Object.hasOwn(kernels, kernel.toLowerCase()) ? kernels[kernel.toLowerCase()] : undefined;

/** The dialect that the environment asks for, or `--dialect` on the command line of the kernel. */
export function dialectOfEnvironment(): Dialect {
  const wanted = process.env.TURNWISE_DIALECT ?? "";
  return dialectOf(wanted) ?? "typescript";
}
