import 'server-only'
import pino, { type Logger } from 'pino'
import { env } from './env'

export type Log = Logger

const shared = globalThis as unknown as { lastcallLog?: Logger }

// Listed at the top and one level down: a wildcard alone does not match the top level.
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

/** Structured lines on stdout, without anything that belongs to a person or opens a door. */
export function log(): Logger {
  return (shared.lastcallLog ??= pino({
    level: env().logLevel,
    base: null,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
  }))
}
