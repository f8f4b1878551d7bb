/** The folder of the kernel's scripts in a built site, from the site's, with "/" at its end. */
export function scriptsOf(out: string): string;
