# syntax=docker/dockerfile:1
# Builds with all packages, runs the bundle with the few that are installed beside it, as a user that owns nothing it could change.
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY scripts ./scripts
COPY tsconfig.json ./
COPY src ./src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM ${NODE}
LABEL org.opencontainers.image.title="focowiki-gateway" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY package.json LICENSE ./
COPY schema ./schema
COPY examples/knowledge ./examples/knowledge
# Files stay root's: the process cannot change its own code. Nothing is written, so the root may be read-only.
USER 10001:10001
EXPOSE 4000
# Probes name a host that the configuration allows; HEALTH_HOST is one, such as server.publicUrl's.
ENV HEALTH_HOST=localhost:4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 CMD ["node", "-e", "require('node:http').get({ host: '127.0.0.1', port: process.env.PORT || 4000, path: '/readyz', headers: { host: process.env.HEALTH_HOST } }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on('error', () => process.exit(1))"]
# Node.js as the first process gets SIGTERM itself and ends by it. The flag: docs/operations.md, "Sizing".
ENTRYPOINT ["node", "--max-semi-space-size=64", "dist/main.js"]
CMD ["serve", "--config", "/etc/focowiki-gateway/gateway.yaml"]
