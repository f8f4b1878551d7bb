import net from "node:net";
import fc from "fast-check";

const paths = [
  "/ws",
  "/mcp",
  "/health",
  "/reset",
  "/schema",
  "//",
  "///ws",
  "http://[",
  "*",
  "/%",
  "/ws?session_id=%zz",
  "",
];
const hosts = ["127.0.0.1", "localhost:1", "[::1", "evil.example", "", "a b", "\u0000"];
const header = fc.constantFrom(
  ...[
    "Connection: Upgrade",
    "Connection: close",
    "Upgrade: websocket",
    "Upgrade: h2c",
    "Sec-WebSocket-Version: 13",
  ],
  ...["Sec-WebSocket-Version: 99", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Key: x"],
  ...[
    "Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99",
    "Origin: null",
    "Origin: http://[",
  ],
  ...["Origin: https://evil.example", "Authorization: Bearer", "Content-Length: 5", "Content-Length: -1"],
  ...["Transfer-Encoding: chunked", "Expect: 100-continue", ": nameless", "A".repeat(20_000)],
);

/** The first bytes of a connection: a request or an upgrade that is nearly right, cut somewhere, or noise. */
export const opening: fc.Arbitrary<Buffer> = (() => {
  const method = fc.constantFrom("GET", "GET", "GET", "POST", "HEAD", "OPTIONS", "CONNECT", "PRI", "\u0000");
  const path = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...paths) },
    { weight: 1, arbitrary: fc.webPath() },
  );
  const upgrade = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  const request = fc
    .record({
      ...{
        method,
        path,
        host: fc.constantFrom(...hosts),
        version: fc.constantFrom("1.1", "1.1", "1.0", "9"),
      },
      ...{
        upgrades: fc.boolean(),
        more: fc.array(header, { maxLength: 4 }),
        cut: fc.nat(400),
        isCut: fc.boolean(),
      },
      tail: fc.uint8Array({ maxLength: 40 }),
    })
    .map((o) => {
      const lines = [
        `${o.method} ${o.path} HTTP/${o.version}`,
        `Host: ${o.host}`,
        ...(o.upgrades ? upgrade : []),
      ];
      const head = Buffer.from([...lines, ...o.more, "", ""].join("\r\n"), "latin1");
      const whole = Buffer.concat([head, o.tail]);
      return o.isCut ? whole.subarray(0, o.cut) : whole;
    });
  const noise = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  return fc.oneof({ weight: 9, arbitrary: request }, { weight: 1, arbitrary: noise });
})();

/** How a client leaves: it ends its side, or resets the connection at once or after the first byte of an answer. */
export type Leaving = "end" | "reset" | "reset after answer";
export const leaving: fc.Arbitrary<Leaving> = fc.constantFrom("end", "reset", "reset after answer");

/** Opens a connection, sends its first bytes and leaves; resolves when it is closed. */
export function attempt(port: number, bytes: Buffer, how: Leaving): Promise<void> {
  return new Promise((resolve) => {
    const socket = net.connect(port, "127.0.0.1");
    // A server that waits for the rest of a request is not at fault.
    socket.setTimeout(50, () => socket.destroy());
    socket.on("error", () => undefined).on("close", () => resolve());
    socket.on("data", () => {
      if (how === "reset after answer") socket.resetAndDestroy();
    });
    socket.on("connect", () => {
      if (how === "end") socket.end(bytes);
      else socket.write(bytes, () => how === "reset" && socket.resetAndDestroy());
    });
  });
}

/** What a server answers to bytes, until it closes the connection. */
export function said(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(bytes));
    let text = "";
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.on("close", () => resolve(text)).on("error", reject);
  });
}
