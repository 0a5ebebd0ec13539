# The platform as every role of it runs. Settings are environment variables; DATA_DIR is the volume.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY build.mjs tsconfig.json ./
COPY sql sql
COPY ingest ingest
COPY warehouse warehouse
COPY assistant assistant
COPY api api
RUN npm run --silent build

FROM node:22-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app ./
COPY --from=build /app/dist dist
RUN mkdir -p /data/keys && chmod 700 /data /data/keys && chown -R 1000:1000 /data
# The user "node" of the base image, by number: so that others can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM finishes what is in hand; it must reach the process itself.
CMD ["node", "--enable-source-maps", "--require", "./dist/api/commands/thread-pool.cjs", "dist/api/commands/start.js"]
