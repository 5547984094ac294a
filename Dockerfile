# cuna in a container: `docker build -t cuna .` for the cpu device, and for NVIDIA GPUs
# `docker build --build-arg BASE=nvidia/cuda:12.8.1-runtime-ubuntu24.04 -t cuna-cuda .`, which needs `--gpus all` to run:
#
#     docker run --rm -it cuna                                    # a prompt
#     docker run --rm -v "$PWD:/work" --gpus all cuna-cuda script.lua
ARG BASE=debian:12-slim

FROM ${BASE} AS build
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends make luajit \
      libluajit-5.1-dev g++ pkg-config libmd-dev zlib1g-dev dpkg-dev
COPY . /cuna
WORKDIR /cuna
RUN make deb BUILD=/tmp/build

FROM ${BASE}
COPY --from=build /tmp/build/cuna_*.deb /tmp/
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y /tmp/cuna_*.deb g++ libedit2 && \
    rm -rf /tmp/cuna_*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["cuna"]
