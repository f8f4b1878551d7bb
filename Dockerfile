# A single-user image for JupyterHub: JupyterLab, its widget manager and the kernel. On its own it serves JupyterLab:
#   docker build -t turnwise . && docker run --rm -p 8888:8888 turnwise jupyter lab --ip 0.0.0.0
FROM node:22-bookworm-slim

RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 python3-venv tini \
  && rm -rf /var/lib/apt/lists/*

# The version of jupyterhub must be that of the hub.
RUN python3 -m venv /opt/jupyter \
  && /opt/jupyter/bin/pip install --no-cache-dir jupyterlab==4.6.4 jupyterlab_widgets==3.0.17 jupyterhub==5.3.0
ENV VIRTUAL_ENV=/opt/jupyter PATH=/opt/jupyter/bin:$PATH

WORKDIR /opt/turnwise
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && npm run build \
  && node kernel/bootstrap/turnwise-kernel.cjs install --sys-prefix \
  && npm cache clean --force

# A hub mounts its volume over the home folder, so the notebooks stay here; the user may change them in the container.
RUN chown -R node:node notebooks

# Lessons link to ../docs, which is above the top folder of the server.
RUN ln -s ../docs notebooks/docs

# A job of a cluster calls turnwise by its name.
ENV PATH=/opt/turnwise/node_modules/.bin:$PATH

USER node
WORKDIR /opt/turnwise/notebooks
EXPOSE 8888
ENTRYPOINT ["tini", "--"]
CMD ["jupyterhub-singleuser"]
