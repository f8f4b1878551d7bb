/** Lines of the drawing by rule, of rules in the order of their tree. */
export function rowsOf(
  ordered: readonly { readonly name: string; readonly parent: string | undefined }[],
): Map<string, number>;
