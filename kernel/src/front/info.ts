import { protocolVersion, type JsonObject } from "../protocol/message.js";
import { javascriptInfo, languageInfo } from "../protocol/language.js";

/** Facts about a kernel that depend on where it runs. */
export interface KernelFacts {
  readonly version: string;
  readonly typescript: string;
  /** Description of the engine that runs the cells. */
  readonly engine: string;
  readonly debugger: boolean;
  /** Cells are plain JavaScript, of this version of the engine. */
  readonly javascript?: string;
}

/** The content of a kernel_info_reply. */
export function kernelInfo(facts: KernelFacts): JsonObject {
  const { version, typescript, engine, debugger: debugs, javascript } = facts;
  return {
    status: "ok",
    protocol_version: protocolVersion,
    implementation: "turnwise",
    implementation_version: version,
    language_info: javascript === undefined ? languageInfo(typescript) : javascriptInfo(javascript),
    banner: `turnwise ${version}: TypeScript ${typescript} on ${engine}`,
    debugger: debugs,
    supported_features: debugs ? ["debugger"] : [],
    help_links: [
      { text: "TypeScript handbook", url: "https://www.typescriptlang.org/docs/handbook/intro.html" },
      { text: "Node.js", url: "https://nodejs.org/docs/latest-v20.x/api/" },
      { text: "TensorFlow.js", url: "https://js.tensorflow.org/api/latest/" },
      { text: "Vega-Lite", url: "https://vega.github.io/vega-lite/docs/" },
    ],
  };
}
