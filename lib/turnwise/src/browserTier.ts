/** Describes a web page to the library: where its files are, how it starts workers, and what it has loaded. */
export { files } from "#files";
export { path } from "#path";
export { type FileStats } from "./base/host/files/files";
export { setUp, type Page, type PageModule, type PageWorker } from "./base/host/page";
export { MemoryStore, type FileStore } from "./base/host/files/store";
export { keptFiles, type KeptFiles } from "./base/host/files/keptFiles";
export { LayeredStore } from "./base/host/files/layered";
