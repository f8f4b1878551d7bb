export * from "./treeSpec";
export * from "./tree";
export * as games from "./games";
