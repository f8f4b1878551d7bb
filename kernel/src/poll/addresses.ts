import os from "node:os";

/** Networks at home and at schools first; those of virtual machines and containers often come with other names. */
function rank({ name, address }: { name: string; address: string }): number {
  if (/^(?:docker|br-|veth|virbr|vmnet|vboxnet|tun|tap|utun)/.test(name)) return 3;
  if (/^(?:192\.168|10)\./.test(address)) return 0;
  return /^172\.(?:1[6-9]|2\d|3[01])\./.test(address) ? 1 : 2;
}

/** This machine's addresses in its networks, the likeliest first. */
export function networkAddresses(interfaces = os.networkInterfaces()): string[] {
  return Object.entries(interfaces)
    .flatMap(([name, list = []]) => list.map((one) => ({ ...one, name })))
    .filter(
      ({ family, internal, address }) => family === "IPv4" && !internal && !address.startsWith("169.254."),
    )
    .sort((a, b) => rank(a) - rank(b))
    .map(({ address }) => address);
}

/** An address of the web; an address of IPv6 stands in brackets there. */
export const urlOf = (host: string, port: number): string =>
  `http://${host.includes(":") ? `[${host}]` : host}:${String(port)}/`;
