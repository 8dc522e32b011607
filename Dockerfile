# The build has no native code, so one build serves every processor. It takes 1 GB of memory; the server takes 512 MB.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN node scripts/release.ts && mv dist/release/keeper-*/ /keeper
RUN mkdir /data

FROM node:24-slim
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Keeper" \
      org.opencontainers.image.description="Keep what is worth keeping, with AI agents that know it." \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    KEEPER_DATA_DIR=/data \
    HOME=/tmp
WORKDIR /app
COPY --from=build /keeper ./
# A named volume takes its owner from this folder.
COPY --from=build --chown=1000:1000 /data /data
USER 1000:1000
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ping`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Without --require-mount, Keeper would write into the container, and lose everything with it.
CMD ["node", "keeper.js", "start", "--require-mount"]
