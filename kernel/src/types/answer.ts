import type { CellTypes } from "./cell-types.js";
import type { TypeReport, TypeRequest } from "./messages.js";

/** What a type service says to a request: the answer, or why there is none. */
export function answerTo(types: CellTypes, request: TypeRequest): TypeReport {
  const { id } = request;
  try {
    return { t: "answer", id, answer: types.answer(request) };
  } catch (error) {
    return { t: "failure", id, failure: (error as Error).stack ?? String(error) };
  }
}
