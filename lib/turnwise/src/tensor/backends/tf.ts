/** TensorFlow.js as a type, and as a value that loads when it is first used: package.json names both files. */
export { tf } from "#tensor/tf";
