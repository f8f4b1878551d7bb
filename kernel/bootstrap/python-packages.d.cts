export const jupyterLab: readonly string[];
export const site: readonly string[];
export const protocolTests: readonly string[];
export const clusterTests: readonly string[];
export const graderTests: readonly string[];
export const openEnvTests: readonly string[];
export const openEnv: readonly string[];
export const benchmarks: readonly string[];
