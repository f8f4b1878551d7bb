/** `turnwise/tensor` in a bundle for pages, which then holds TensorFlow.js. */
import * as doubles from "../float64/doubles";
import { provide } from "./provided";

provide(doubles);

export * from "../index";
