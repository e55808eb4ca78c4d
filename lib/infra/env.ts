import 'server-only'
import path from 'node:path'
import { processState } from '@/lib/kernel/process-state.mjs'
import { serverState } from '@/lib/kernel/server-state.mjs'
import { readEnvironment } from './env-rules.mjs'
import { hostOfNext } from './host-of-next'

export type Env = ReturnType<typeof load>

let cached: Env | undefined

/** Returns the operator's values of next-auth's variables, as they were before load() set the missing ones. */
const givenNames = () =>
  processState('next-auth-settings', () => {
    const { NEXTAUTH_URL, NEXTAUTH_SECRET } = process.env
    return { NEXTAUTH_URL, NEXTAUTH_SECRET }
  })

/**
 * Returns the host of this process's server, unless the server is ours. For scripts and tests it returns undefined,
 * too.
 */
function otherServer() {
  const isServer = process.env.NEXT_RUNTIME === 'nodejs'
  if (!isServer || serverState().areOurs) return undefined
  return { host: hostOfNext(process.argv, process.env.HOSTNAME) }
}

function load() {
  const { values, problems } = readEnvironment({ ...process.env, ...givenNames() }, otherServer())
  const { databaseUrl, authSecret, cronSecret } = values
  if (problems.length > 0) throw new Error(problems.join('\n'))
  // The start script sets these three variables when they are missing (docs/contract.md#environment).
  if (!databaseUrl || !authSecret || !cronSecret) {
    const instead = values.isServerless ? "set them in the host's settings." : 'start with `npm start`.'
    throw new Error(`DATABASE_URL, AUTH_SECRET and CRON_SECRET must be set: ${instead}`)
  }
  // next-auth reads these two variables itself. The start script sets them, but other servers do not.
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

/**
 * Returns the validated environment, which is read once. No other file of the application reads settings from
 * process.env.
 */
export function env(): Env {
  return (cached ??= load())
}
