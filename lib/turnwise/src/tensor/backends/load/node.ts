export { loadAddon } from "../addon";
export { loadWebGpu } from "../webgpu";

export const importPackage = (name: string): Promise<unknown> => import(name);
