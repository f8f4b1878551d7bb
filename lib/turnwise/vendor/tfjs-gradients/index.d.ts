/** Registers the gradients and the chained methods of a TensorFlow.js. */
declare function registerGradients(tfjsCore: object): void;
export = registerGradients;
