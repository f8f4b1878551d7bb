"use strict";

/** Every Python package that this repository installs, each at the version that it is tested with. */
module.exports = {
  jupyterLab: ["jupyterlab==4.6.4", "jupyterlab_widgets==3.0.17"],
  site: ["jupyterlite-core==0.8.6"],
  protocolTests: ["jupyter_kernel_test==0.7.0", "nbclient==0.11.0", "nbconvert==7.17.2", "ipykernel==7.4.0"],
  // What the wheel is tried with, by the matrix, beside JupyterLab.
  wheelTests: ["papermill==2.7.0", "nbclient==0.11.0", "nbconvert==7.17.2"],
  // What the matrix opens the pages' views in, beside JupyterLab.
  notebookTests: ["notebook==7.6.5", "jupyterlab_widgets==3.0.17"],
  clusterTests: ["kubernetes-validate==1.37.0"],
  graderTests: ["nbgrader==0.9.5"],
  // What openenv's client, its server and its validator import.
  openEnvTests: [
    ...[
      "fastapi==0.165.0",
      "fastmcp==3.4.10",
      "httpx==0.28.1",
      "huggingface_hub==2.4.0",
      "jsonschema==4.26.0",
    ],
    ...[
      "openai==3.54.0",
      "packaging==26.3",
      "pydantic==2.14.3",
      "PyYAML==6.0.3",
      "requests==2.34.2",
      "rich==15.0.0",
    ],
    ...["tomli==2.5.0", "tomli_w==1.2.0", "typer==0.29.2", "uvicorn==0.54.0", "websockets==17.4"],
  ],
  // Installed without what it asks for: that is gradio as well, which with its own needs is 275 MB, and which no test imports.
  openEnv: ["openenv==0.10.0"],
  // What parses verl's configuration.
  trainerTests: [
    ...[
      "hydra-core==1.3.8",
      "omegaconf==2.3.1",
      "antlr4-python3-runtime==4.9.3",
      "packaging==26.3",
      "PyYAML==6.0.3",
    ],
  ],
  // Installed without what they ask for, PyTorch and Ray: only their files of flags are run.
  trainers: ["trl==1.16.0", "verl==0.9.1", "openrlhf==0.11.2"],
  // What the clients of trainers for served worlds are tried with, by the matrix: nine hundred megabytes, of which PyTorch is none.
  clientTests: ["verifiers==0.4.0", "skyrl-gym==0.4.0", "transformers==5.23.0"],
  // Installed without what it asks for, PyTorch and Ray: its tools need neither.
  clients: ["verl==0.9.1"],
  // A training by TRL, outside of CI: npm run trl.
  trl: [
    ...["torch==2.15.0", "trl==1.16.0", "transformers==5.23.0", "accelerate==1.15.0", "datasets==5.2.0"],
    ...["tokenizers==0.23.3", "openenv==0.10.0"],
  ],
  benchmarks: ["numpy==2.4.6", "jax==0.10.2", "torch==2.15.0", "ipykernel==7.4.0"],
};
