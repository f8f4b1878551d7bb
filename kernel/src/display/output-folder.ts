/** The folder beside a notebook in which large outputs are kept. */
export const outputFolder = "turnwise-output";
