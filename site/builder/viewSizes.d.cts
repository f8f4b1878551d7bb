/** By page: bytes of its first picture and of its worker, compressed. */
export function viewSizes(
  out: string,
): Readonly<Record<string, { readonly first: number; readonly worker?: number }>>;
