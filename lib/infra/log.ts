import 'server-only'
import pino, { type Logger } from 'pino'
import { processState } from '@/lib/kernel/process-state.mjs'
import { env } from './env'

export type Log = Logger

const shared = processState('log', (): { logger?: Logger } => ({}))

// log() redacts each name at the top level and one level down. Both need a path, because a wildcard does not match the
// top level.
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

/** Returns the logger, which writes structured lines to stdout and hides the values of the fields listed in SECRETS. */
export function log(): Logger {
  return (shared.logger ??= pino({
    level: env().logLevel,
    base: null,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  }))
}
