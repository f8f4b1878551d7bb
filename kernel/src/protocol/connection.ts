import { readFileSync, writeFileSync } from "node:fs";

/** The content of a Jupyter connection file. */
export interface ConnectionInfo {
  transport: "tcp" | "ipc";
  ip: string;
  shell_port: number;
  iopub_port: number;
  stdin_port: number;
  control_port: number;
  hb_port: number;
  key: string;
  signature_scheme: string;
  kernel_name?: string;
  /** The kernel's CurveZMQ keys in Z85. With them, all five sockets are encrypted, and clients use the same pair. */
  curve_publickey?: string;
  curve_secretkey?: string;
}

/** Socket options of a client; none without keys. */
export function clientSecurity(info: ConnectionInfo): {
  curveServerKey?: string;
  curvePublicKey?: string;
  curveSecretKey?: string;
} {
  if (!info.curve_publickey || !info.curve_secretkey) return {};
  return {
    curveServerKey: info.curve_publickey,
    curvePublicKey: info.curve_publickey,
    curveSecretKey: info.curve_secretkey,
  };
}

/** Socket options of the kernel; none without keys. */
export function serverSecurity(info: ConnectionInfo): {
  curveServer?: true;
  curvePublicKey?: string;
  curveSecretKey?: string;
} {
  if (!info.curve_publickey || !info.curve_secretkey) return {};
  return {
    curveServer: true,
    curvePublicKey: info.curve_publickey,
    curveSecretKey: info.curve_secretkey,
  };
}

/** The five sockets of a kernel. */
export const channels = ["shell", "iopub", "stdin", "control", "hb"] as const;

/** The name of one of the five sockets. */
export type Channel = (typeof channels)[number];

/** The ZeroMQ address of one channel. For `ipc` the port number is a suffix of the path. */
export function endpoint(info: ConnectionInfo, channel: Channel): string {
  const port = info[`${channel}_port`];
  return info.transport === "ipc" ? `ipc://${info.ip}-${port}` : `tcp://${info.ip}:${port}`;
}

/**
 * Reads and checks a connection file.
 *
 * @throws {TypeError} if a field is missing or has the wrong type.
 */
export function readConnectionFile(path: string): ConnectionInfo {
  const info = JSON.parse(readFileSync(path, "utf8")) as ConnectionInfo;
  info.transport ??= "tcp";
  info.signature_scheme ??= "hmac-sha256";
  info.key ??= "";
  if (info.transport !== "tcp" && info.transport !== "ipc") {
    throw new TypeError(
      `Cannot open the kernel's sockets: transport must be tcp or ipc, got ${JSON.stringify(info.transport)}.`,
    );
  }
  if (typeof info.ip !== "string") {
    throw new TypeError(
      `Cannot open the kernel's sockets: ip must be a string, got ${JSON.stringify(info.ip)}.`,
    );
  }
  for (const channel of channels) {
    const port = info[`${channel}_port`];
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      throw new TypeError(
        `Cannot open the kernel's sockets: ${channel}_port must be a port number, got ${JSON.stringify(port)}.`,
      );
    }
  }
  return info;
}

/** Writes a connection file that only its owner can read: it holds the key. */
export function writeConnectionFile(path: string, info: ConnectionInfo): void {
  // In place: the file is new, and worth nothing when the kernel has ended.
  writeFileSync(path, JSON.stringify(info, null, 2), { mode: 0o600 });
}
