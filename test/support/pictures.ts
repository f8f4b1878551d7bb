/**
 * Whether tests also take the pictures that nothing but a person compares: those of build/screenshots, and with them those that the
 * READMEs show. Each takes a second, which a run that nobody looks at can do without.
 */
export const takesPictures = Boolean(process.env.UPDATE_SCREENSHOTS);
