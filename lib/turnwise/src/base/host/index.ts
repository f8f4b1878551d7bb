// The host's files, paths and machine, for the packages beside this one: names such as #files mean something inside a package only.
export { files } from "#files";
export { machine } from "#machine";
export { path } from "#path";
