# syntax=docker/dockerfile:1
# The application built, with the files that it needs and nothing else (docs/hosting.md#containers).

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package's install script is needed, and some would download engines. The build needs the development packages.
RUN npm install --no-save --include=dev --ignore-scripts --no-audit --no-fund

FROM packages AS build
COPY . .
RUN npm run build -- --standalone

FROM node:24-bookworm-slim AS application
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
# A volume that is mounted here for the first time takes over who owns the folder.
RUN install -d -o 1000 -g 1000 /data
COPY --from=build /app/.next/standalone ./
# A number, because Kubernetes cannot tell from a name that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "scripts/serve.mjs"]
