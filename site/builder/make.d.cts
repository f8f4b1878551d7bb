/** Builds the site of a checkout into its build/site, unless the one there was made of the same things; returns the folder. */
export function makeSite(
  root: string,
  o?: { readonly packages?: readonly string[]; readonly withSolutions?: boolean },
): Promise<string>;
