# One image for every service; docker-compose.yml names the command of each.
FROM node:20.20.2-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY apps apps
COPY libs libs
RUN npm run build && npm prune --omit=dev --omit=optional --no-audit --no-fund

FROM node:20.20.2-slim
ENV NODE_ENV=production HOLDLINE_HTTP_HOST=0.0.0.0 HOLDLINE_HTTP_PORT=8080
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 8080
CMD ["node", "dist/apps/conversations/src/main.js"]
