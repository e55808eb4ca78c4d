// Configures Prisma's command line (ADR 0005). Without an argument, `npx prisma` looks for this file in the folder it
// runs in, so it has to be in the repository root. `npm run migrate` applies the same migrations and needs no engine
// download.
import { existsSync } from 'node:fs'
import { defineConfig } from 'prisma/config'

// Prisma reads no .env file by itself. A variable that is already set wins, as it does for `npm start`.
for (const file of ['.env.local', '.env']) if (existsSync(file)) process.loadEnvFile(file)

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  // The address may be unset, because `generate` and `validate` need no database.
  datasource: { url: process.env.DIRECT_DATABASE_URL || process.env.DATABASE_URL },
})
