# The platform as every role of it runs. Settings are environment variables; DATA_DIR is the volume.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY sql sql
COPY ingest ingest
COPY warehouse warehouse
COPY assistant assistant
COPY api api
RUN npm run --silent build:page

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app ./
RUN mkdir -p /data/keys && chown -R 1000:1000 /data
# The user "node" of the base image, by number: so that others can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM finishes what is in hand; it must reach the process itself.
CMD ["node", "--require", "./api/commands/thread-pool.cjs", "--import", "tsx", "api/commands/start.ts"]
