import { defineConfig } from 'prisma/config'

// Migrations are applied by prisma/migrate.mjs, which needs no engine download (ADR 0005).
export default defineConfig({ schema: 'schema' })
