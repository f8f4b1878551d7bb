// The tier turnwise-practice/serve: worlds for clients of OpenEnv, and servers of OpenEnv as worlds. It needs Node.

export { serve, type ServeOptions, type WorldServer } from "./node/server";
export { openEnv, type OpenEnvOptions } from "./client/openEnv";
export { OpenEnvError } from "./client/remoteEnv";
export type { ForeignWorld } from "./client/dialect";
export { worldOf } from "./worldOf";
