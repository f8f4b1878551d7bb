"use strict";

/** Every Python package that this repository installs, each at the version that it is tested with. */
module.exports = {
  jupyterLab: ["jupyterlab==4.6.4", "jupyterlab_widgets==3.0.17"],
  site: ["jupyterlite-core==0.8.6"],
  protocolTests: ["jupyter_kernel_test==0.7.0", "nbclient==0.11.0", "nbconvert==7.17.2", "ipykernel==7.4.0"],
  clusterTests: ["kubernetes-validate==1.37.0"],
  graderTests: ["nbgrader==0.9.5"],
  benchmarks: ["numpy==2.4.6", "jax==0.10.2", "torch==2.15.0", "ipykernel==7.4.0"],
};
