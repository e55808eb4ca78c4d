/** One entry of a domain's error table: the status, the text for users, and the field it belongs to. */
export type ErrorEntry = { status: number; text: string; field?: string }
export type ErrorTable = Record<string, ErrorEntry>

type ErrorDetails = { text?: string; field?: string; cause?: unknown; retryAfterSeconds?: number; work?: string }

/**
 * The only error whose text reaches a client; any other error becomes a 500 with a generic text
 * (docs/contract.md#errors).
 */
export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** What a browser has to answer before it asks again (docs/contract.md#proof-of-work). */
  readonly work: string | undefined

  constructor(code: string, entry: ErrorEntry, details: ErrorDetails = {}) {
    super(details.text ?? entry.text, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.status = entry.status
    this.field = details.field ?? entry.field
    this.retryAfterSeconds = details.retryAfterSeconds
    this.work = details.work
  }
}

/**
 * Turns a domain's error table into the function that creates its errors: `throw dropError('SOLD_OUT')`. Each call of
 * errorsFrom is marked as pure, so that the bundle of a page that only shows texts leaves the table out.
 */
export function errorsFrom<Table extends ErrorTable>(table: Table) {
  return (code: keyof Table & string, details?: ErrorDetails): AppError => {
    const entry: ErrorEntry = table[code]!
    return new AppError(code, entry, details)
  }
}
