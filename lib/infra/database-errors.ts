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
  // Lost connections, sessions that were idle for too long, and a server that is full, starting or shutting down.
  '25P03',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '57P05',
  '53400',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  'P1001',
  'P1002',
  'P1017',
  'P2024',
  'P2028',
  'P2034',
])

// What the adapter calls these errors when it has no code for them.
const UNAVAILABLE_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
])

const UNAVAILABLE_TEXT =
  /Connection terminated|connection timeout|timeout exceeded when trying to connect|Can't reach database|not queryable|terminating connection|Query read timeout|Connection ended unexpectedly|Server has closed the connection|socket hang up|read ECONNRESET|write EPIPE/i

type Known = {
  code?: unknown
  message?: unknown
  kind?: unknown
  originalCode?: unknown
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

/**
 * Whether the error means that the database is unavailable or overloaded, so that the status is 503 and not 500. Which
 * field holds the reason depends on who lost the connection: the driver, the adapter, or Prisma around either.
 */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false
  const { code, message, kind, originalCode, cause, meta } = error as Known
  if ([code, originalCode].some((one) => typeof one === 'string' && UNAVAILABLE.has(one))) return true
  if (typeof kind === 'string' && UNAVAILABLE_KINDS.has(kind)) return true
  if (typeof message === 'string' && UNAVAILABLE_TEXT.test(message)) return true
  return isDatabaseUnavailable(cause, depth + 1) || isDatabaseUnavailable(meta?.driverAdapterError, depth + 1)
}
