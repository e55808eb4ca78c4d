import 'server-only'
import pino, { type Logger } from 'pino'
import { processState } from '@/lib/kernel/process-state.mjs'
import { env } from './env'

export type Log = Logger

const shared = processState('log', (): { logger?: Logger } => ({}))

// Each name is listed at the top level and one level down, because a wildcard alone does not match the top level.
const SECRETS = [
  'password',
  'newPassword',
  'token',
  'secret',
  'cookie',
  'authorization',
  'email',
  'to',
  'phone',
  'cardNumber',
]

/** Writes structured lines to stdout, with personal data and secrets removed. */
export function log(): Logger {
  return (shared.logger ??= pino({
    level: env().logLevel,
    base: null,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  }))
}
