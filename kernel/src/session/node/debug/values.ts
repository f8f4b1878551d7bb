import type { JsonObject } from "../../../protocol/message.js";
import { argumentOf, type Post, type RemoteObject } from "./inspector.js";

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

/** A scope of a halted frame. */
export interface ScopePlace {
  callFrameId: string;
  /** Its place in the frame's chain. */
  scopeNumber: number;
}

const longestValue = 2_000;
/** Under this name V8 keeps what is shown. */
export const valueGroup = "debug";

/** Hands out numbers for V8's objects, as the Debug Adapter Protocol requires. */
export class Values {
  private readonly objects: { objectId: string; scope: ScopePlace | undefined }[] = [];

  constructor(private readonly post: Post) {}

  /** Forgets all numbers: they are not valid once the program has gone on. */
  clear(): void {
    this.objects.length = 0;
  }

  /** Forgets all numbers of a program that runs, and lets V8 collect what only they have kept. */
  async release(): Promise<void> {
    this.clear();
    await this.post("Runtime.releaseObjectGroup", { objectGroup: valueGroup });
  }

  /** A number for a value; `scope` is given where that stands for the variables of a frame. */
  reference({ objectId }: RemoteObject, scope?: ScopePlace): number {
    return objectId === undefined ? 0 : this.objects.push({ objectId, scope });
  }

  /** Sets a variable of a scope or a member of an object. */
  async assign(reference: number, name: string, value: RemoteObject): Promise<void> {
    const holder = this.objects[reference - 1];
    if (!holder) {
      throw new RangeError(
        `Cannot set ${name}: its reference must be one of a scope or value that was shown, got ${reference}.`,
      );
    }
    const newValue = argumentOf(value);
    if (holder.scope) {
      await this.post("Debugger.setVariableValue", { ...holder.scope, variableName: name, newValue });
    }
    // The object of a scope is a copy of its variables, to be shown.
    const { exceptionDetails } = (await this.post("Runtime.callFunctionOn", {
      functionDeclaration: 'function (name, value) { "use strict"; this[name] = value; }',
      objectId: holder.objectId,
      arguments: [{ value: name }, newValue],
      silent: true,
    })) as { exceptionDetails?: Thrown };
    if (exceptionDetails) throw errorOf(exceptionDetails);
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
    const objectId = this.objects[reference - 1]?.objectId;
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
      objectGroup: valueGroup,
    })) as { result: RemoteObject; exceptionDetails?: JsonObject };
    return exceptionDetails ? undefined : result;
  }
}

/** Form in which V8 reports that an expression threw. */
export interface Thrown {
  exception?: RemoteObject;
  text: string;
}

/** Error as the user sees it. */
export function errorOf({ exception, text }: Thrown): Error {
  return new Error(exception?.description?.split("\n")[0] ?? text);
}

function printed(value: RemoteObject): string {
  const text =
    value.type === "string"
      ? JSON.stringify(value.value)
      : (value.description ?? value.unserializableValue ?? String(value.value));
  return text.length > longestValue ? `${text.slice(0, longestValue)}...` : text;
}
