import type { JsonObject } from "../../protocol/message.js";
import type { Post, RemoteObject } from "./inspector.js";

interface Property {
  name: string;
  value?: RemoteObject;
  get?: RemoteObject;
}

/** A variable as the Debug Adapter Protocol describes it. */
export interface Variable {
  name: string;
  value: string;
  /** Only for objects: JupyterLab shows a type in place of the value. */
  type?: string;
  evaluateName: string;
  /** 0: nothing to unfold. */
  variablesReference: number;
}

const longestValue = 2_000;

/** Hands out numbers for V8's objects, as the Debug Adapter Protocol requires. */
export class Values {
  private readonly objects: string[] = [];

  constructor(private readonly post: Post) {}

  /** Forgets all numbers: they are not valid once the program has gone on. */
  clear(): void {
    this.objects.length = 0;
  }

  reference(value: RemoteObject): number {
    return value.objectId === undefined ? 0 : this.objects.push(value.objectId);
  }

  variable(name: string, value: RemoteObject): Variable {
    return {
      name,
      value: printed(value),
      ...(value.objectId !== undefined && { type: value.className ?? value.subtype ?? value.type }),
      evaluateName: name,
      variablesReference: this.reference(value),
    };
  }

  /** The members of an object. */
  async members(reference: number): Promise<Variable[]> {
    const objectId = this.objects[reference - 1];
    if (objectId === undefined) return [];
    const { result } = (await this.post("Runtime.getProperties", {
      objectId,
      ownProperties: true,
    })) as unknown as { result: Property[] };
    return result
      .filter(({ name, value }) => value !== undefined && name !== "__proto__")
      .map(({ name, value }) => this.variable(name, value!));
  }

  async evaluate(expression: string): Promise<RemoteObject | undefined> {
    const { result, exceptionDetails } = (await this.post("Runtime.evaluate", {
      expression,
      replMode: true,
      silent: true,
      objectGroup: "debug",
    })) as { result: RemoteObject; exceptionDetails?: JsonObject };
    return exceptionDetails ? undefined : result;
  }
}

function printed(value: RemoteObject): string {
  const text =
    value.type === "string"
      ? JSON.stringify(value.value)
      : (value.description ?? value.unserializableValue ?? String(value.value));
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
}
