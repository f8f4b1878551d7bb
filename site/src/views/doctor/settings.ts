/** Settings of the page about a run's files: a link holds none, as the files are the reader's. */
export const settings = {} as const;
