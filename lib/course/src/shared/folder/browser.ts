/** A page's files have the datasets at their root. */
export const packageFolder = "/";
