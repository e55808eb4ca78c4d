import 'server-only'
import path from 'node:path'
import { processState } from '@/lib/kernel/process-state.mjs'
import { readEnvironment } from './env-rules.mjs'

export type Env = ReturnType<typeof load>

let cached: Env | undefined

/** The operator's own values of the variables that next-auth reads, before load() below sets them for next-auth. */
const givenNames = () =>
  processState('next-auth-settings', () => {
    const { NEXTAUTH_URL, NEXTAUTH_SECRET } = process.env
    return { NEXTAUTH_URL, NEXTAUTH_SECRET }
  })

function load() {
  const { values, problems } = readEnvironment({ ...process.env, ...givenNames() })
  const { databaseUrl, authSecret, cronSecret } = values
  if (problems.length > 0) throw new Error(problems.join('\n'))
  // The start script sets these three when they are missing (docs/contract.md#environment).
  if (!databaseUrl || !authSecret || !cronSecret) {
    throw new Error('DATABASE_URL, AUTH_SECRET and CRON_SECRET must be set: start with `npm start`.')
  }
  // next-auth reads these two itself. The start script sets them, other servers do not.
  process.env.NEXTAUTH_URL ??= values.appUrl
  process.env.NEXTAUTH_SECRET ??= authSecret
  return {
    ...values,
    databaseUrl,
    authSecret,
    cronSecret,
    dataDir: path.resolve(values.dataDir),
    isSecureOrigin: values.appUrl.startsWith('https:'),
    isProduction: process.env.NODE_ENV === 'production',
  }
}

/** The validated environment, read once. No other file of the application reads settings from process.env. */
export function env(): Env {
  return (cached ??= load())
}
