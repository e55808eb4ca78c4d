import 'server-only'
import { unavailableTexts } from '@/lib/kernel/unavailable-texts.mjs'

type AdapterCause = { originalCode?: string; constraint?: { index?: string; fields?: string[] }; message?: string }

function adapterCause(error: unknown): AdapterCause | undefined {
  const meta = (error as { meta?: { driverAdapterError?: { cause?: AdapterCause } } } | null)?.meta
  return meta?.driverAdapterError?.cause
}

/**
 * Returns the name of the unique constraint that a write violated, or null for any other error. If the error names no
 * constraint, its fields joined by "_" are returned, or "unknown". The function accepts errors of Prisma and of the
 * driver. With @prisma/adapter-pg, Prisma reports the constraint in the error's cause and not in its usual place.
 */
export function uniqueViolation(error: unknown): string | null {
  const raw = error as { code?: string; constraint?: string } | null
  if (raw?.code === '23505') return raw.constraint ?? 'unknown'
  const cause = adapterCause(error)
  if (raw?.code !== 'P2002' && cause?.originalCode !== '23505') return null
  return cause?.constraint?.index ?? cause?.constraint?.fields?.join('_') ?? 'unknown'
}

/**
 * Whether Postgres has rolled back a statement because of a deadlock. The function accepts errors of Prisma's adapter
 * and of the driver.
 */
export function isDeadlock(error: unknown): boolean {
  const raw = error as { code?: string; cause?: AdapterCause } | null
  return raw?.code === '40P01' || raw?.cause?.originalCode === '40P01'
}

// Codes of a database that is unavailable or overloaded. The first ones are lock and statement timeouts, deadlocks,
// serialization failures, lack of memory, and network errors of Node.
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
  // Networks and name servers that fail for a moment. ENOTFOUND is not in this list, because it means a wrong host
  // name.
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  // The disk is full or broken, or the provider has made the database read-only.
  '53100',
  '58030',
  '25006',
  // Lost connections, sessions that were idle for too long, and a server that is full, starting or stopping.
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

// The kinds that Prisma's adapter reports for such errors when it has no code for them.
const UNAVAILABLE_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TransactionWriteConflict',
])

type Known = {
  code?: unknown
  message?: unknown
  kind?: unknown
  originalCode?: unknown
  cause?: unknown
  meta?: { driverAdapterError?: unknown }
}

/**
 * Whether the error means that the database is unavailable or overloaded, so that the response is a 503 and not a 500.
 * Several fields are checked, because the driver, the adapter and Prisma each report a lost connection in a different
 * field.
 */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 5) return false
  const { code, message, kind, originalCode, cause, meta } = error as Known
  if ([code, originalCode].some((one) => typeof one === 'string' && UNAVAILABLE.has(one))) return true
  if (typeof kind === 'string' && UNAVAILABLE_KINDS.has(kind)) return true
  if (typeof message === 'string' && Object.values(unavailableTexts).some((text) => text.test(message))) return true
  return isDatabaseUnavailable(cause, depth + 1) || isDatabaseUnavailable(meta?.driverAdapterError, depth + 1)
}
