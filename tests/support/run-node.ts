import { execFile } from 'node:child_process'

export type Ended = { code: number; stdout: string; stderr: string }

/**
 * Runs a Node program from the repository root with these variables. Resolves with its result for any exit code. What
 * lib/infra/env.ts has set in the tests' own process for next-auth is not passed on.
 */
export function runNode(words: string[], env: Record<string, string>): Promise<Ended> {
  const forNextAuth = { NEXTAUTH_URL: '', NEXTAUTH_SECRET: '' }
  const all = { ...process.env, ...forNextAuth, __NEXT_PROCESSED_ENV: 'true', ...env }
  const options = { encoding: 'utf8', env: all } as const
  return new Promise((resolve) => {
    execFile(process.execPath, words, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}

/** Runs `npm run migrate` on this database. */
export const runMigrate = (databaseUrl: string, ...words: string[]) =>
  runNode(['prisma/migrate.mjs', ...words], { DATABASE_URL: databaseUrl, DIRECT_DATABASE_URL: '' })
