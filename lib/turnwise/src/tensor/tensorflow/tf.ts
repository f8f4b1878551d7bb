import * as doubles from "../float64/doubles";
import { provide } from "./provided";

provide(doubles);

/** For whoever uses it in a bundle for pages, which then holds TensorFlow.js. */
export { tf } from "../backends/tf";
