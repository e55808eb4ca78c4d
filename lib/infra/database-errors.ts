import 'server-only'

type AdapterCause = { originalCode?: string; constraint?: { index?: string; fields?: string[] }; message?: string }

function adapterCause(error: unknown): AdapterCause | undefined {
  const meta = (error as { meta?: { driverAdapterError?: { cause?: AdapterCause } } } | null)?.meta
  return meta?.driverAdapterError?.cause
}

/**
 * The unique constraint that a write violated, from either driver, or null when the error is something else. With this
 * adapter Prisma reports the constraint in the error's cause, not in its usual place.
 */
export function uniqueViolation(error: unknown): string | null {
  const raw = error as { code?: string; constraint?: string } | null
  if (raw?.code === '23505') return raw.constraint ?? 'unknown'
  const cause = adapterCause(error)
  if (raw?.code !== 'P2002' && cause?.originalCode !== '23505') return null
  return cause?.constraint?.index ?? cause?.constraint?.fields?.join('_') ?? 'unknown'
}

// Codes of a database that is unavailable or overloaded: lock and statement timeouts, deadlocks, serialization
// failures, out of memory.
const UNAVAILABLE = new Set([
  '55P03',
  '57014',
  '40P01',
  '40001',
  '53200',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'P1001',
  'P1002',
  'P1017',
  'P2028',
])

/** Whether the error means that the database is unavailable or overloaded, so that the status is 503 and not 500. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  if (code && UNAVAILABLE.has(code)) return true
  if (adapterCause(error)?.originalCode && UNAVAILABLE.has(adapterCause(error)!.originalCode!)) return true
  return /Connection terminated|connection timeout|Query read timeout|timeout exceeded when trying to connect|Can't reach database/i.test(
    message ?? '',
  )
}
