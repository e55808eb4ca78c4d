import { execFile } from 'node:child_process'

export type Ended = { code: number; stdout: string; stderr: string }

/**
 * Runs a Node program from the repository root with these variables, and returns its result for any exit code. A
 * variable with the value undefined is not set. The variables for next-auth, which lib/infra/env.ts sets in the process
 * of the tests, are passed on empty.
 */
export function runNode(words: string[], env: Record<string, string | undefined>): Promise<Ended> {
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
