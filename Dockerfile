# A single-user image for JupyterHub: JupyterLab, its widget manager and the kernel. On its own it serves JupyterLab:
#   docker build -t turnwise . && docker run --rm -p 8888:8888 turnwise jupyter lab --ip 0.0.0.0
FROM node:22-bookworm-slim AS wheel

RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 python3-pip python3-venv \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
# Installs the npm packages first, as the lockfile says.
RUN npm run wheel -- --out /wheel

FROM python:3.12-slim-bookworm

RUN apt-get update \
  && apt-get install -y --no-install-recommends tini \
  && rm -rf /var/lib/apt/lists/*

# The version of jupyterhub must be that of the hub. The kernel brings its own Node.
RUN --mount=type=bind,from=wheel,source=/wheel,target=/wheel \
  pip install --no-cache-dir jupyterlab==4.6.4 jupyterlab_widgets==3.0.17 jupyterhub==5.3.0 /wheel/*.whl

RUN useradd --create-home --uid 1000 turnwise

# A hub mounts its volume over the home folder, so the notebooks stay here; the user may change them in the container. Lessons link to
# ../docs, which is above the top folder of the server.
WORKDIR /opt/turnwise
COPY docs docs
COPY datasets datasets
COPY --chown=turnwise notebooks notebooks
RUN ln -s ../docs notebooks/docs

USER turnwise
WORKDIR /opt/turnwise/notebooks
EXPOSE 8888
ENTRYPOINT ["tini", "--"]
CMD ["jupyterhub-singleuser"]
