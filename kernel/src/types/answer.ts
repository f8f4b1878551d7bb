import type { CellTypes } from "./cell-types.js";
import type { TypeReport, TypeRequest } from "./messages.js";

/** Reply of a type service to a request: the answer, or the reason for having none. */
export function answerTo(types: CellTypes, request: TypeRequest): TypeReport {
  const { id } = request;
  try {
    return { t: "answer", id, answer: types.answer(request) };
  } catch (error) {
    return { t: "failure", id, failure: (error as Error).stack ?? String(error) };
  }
}
