/** Whether a specifier names this library or a package that is released with it: their code stays the same while a process runs. */
export const isOwn = (specifier: string): boolean => /^turnwise(-course|-practice)?(\/|$)/.test(specifier);
