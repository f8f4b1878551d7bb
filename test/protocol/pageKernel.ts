import { randomUUID } from "node:crypto";
import { readConnectionFile } from "turnwise-kernel/dist/protocol/connection.js";
import { Sockets } from "turnwise-kernel/dist/front/sockets.js";
import type { Message } from "turnwise-kernel";
import { KernelPage } from "../support/browserKernel.js";
import { openKernelSite } from "../support/kernelSite.js";

// The kernel of a page behind the five sockets of a kernel, so that Jupyter's own tools can talk to it: they start this program with
// a connection file. Requests go into the page as they come, and what the page says goes out under the request that it names.

async function main(connectionFile: string): Promise<void> {
  const site = await openKernelSite();
  const sockets = new Sockets(readConnectionFile(connectionFile), randomUUID());
  const page = new KernelPage(process.cwd(), site);
  const requests = new Map<string, Message>();

  const end = async (code: number): Promise<void> => {
    await sockets.close();
    await site.browser.close();
    process.exit(code);
  };

  page.receive = (channel, { header, parent, metadata, content, buffers }) => {
    const more = { metadata, buffers };
    if (channel === "iopub") return sockets.publish(header.msg_type, content, parent, more);
    const request = requests.get(parent.msg_id ?? "");
    if (!request) throw new Error(`Cannot reply to ${String(parent.msg_id)}: it must have been asked here.`);
    sockets.reply(channel as "shell" | "control" | "stdin", request, header.msg_type, content, more);
    if (header.msg_type === "shutdown_reply") void end(0);
  };
  page.launch(() => void end(1));
  await sockets.bind();
  sockets.listen((channel, message) => {
    requests.set(message.header.msg_id, message);
    page.send(channel, message);
  });
}

void main(process.argv[2]!);
