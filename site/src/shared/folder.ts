/** The folder of a notebook as its cells name it, from where it lies in a site's files. */
export const folderOf = (location: string): string => `/${location.replace(/^\/+|\/+$/g, "")}`;
