/** Replacement of Node's `os` in cells of a page. */
interface Device {
  readonly navigator?: { readonly hardwareConcurrency?: number; readonly userAgent?: string };
}

const device = (): Device => globalThis as Device;

export const EOL = "\n";
export const availableParallelism = (): number => device().navigator?.hardwareConcurrency ?? 1;
export const cpus = (): object[] =>
  Array.from({ length: availableParallelism() }, () => ({ model: "", speed: 0 }));
export const platform = (): string => "browser";
export const type = (): string => "Browser";
export const release = (): string => device().navigator?.userAgent ?? "";
export const arch = (): string => "wasm32";
export const hostname = (): string => "browser";
export const homedir = (): string => "/";
export const tmpdir = (): string => "/tmp";

export const userInfo = (): { username: string } => ({ username: "reader" });

export default {
  EOL,
  availableParallelism,
  cpus,
  platform,
  type,
  release,
  arch,
  hostname,
  homedir,
  tmpdir,
  userInfo,
};
