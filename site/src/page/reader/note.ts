const note = "// From a link, not from the course: read it before you run it.\n";

/** Code with a line above it that says where it is from. A magic must stay first. */
export const withNote = (code: string): string => (/^\s*%/.test(code) ? code : note + code);

export const withoutNote = (code: string): string => (code.startsWith(note) ? code.slice(note.length) : code);
