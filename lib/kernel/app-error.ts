/** One entry of a domain's error table: the status, the text people read and the field it belongs to. */
export type ErrorEntry = { status: number; text: string; field?: string }
export type ErrorTable = Record<string, ErrorEntry>

type ErrorDetails = { text?: string; field?: string; cause?: unknown; retryAfterSeconds?: number }

/** The only error that reaches a client; everything else becomes a 500 with a generic text (CONTRACT, Errors). */
export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: string, entry: ErrorEntry, details: ErrorDetails = {}) {
    super(details.text ?? entry.text, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.status = entry.status
    this.field = details.field ?? entry.field
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/**
 * Turns a domain's table into the function that makes its errors: `throw dropError('SOLD_OUT')`. Each call of it is marked
 * as pure, so that a page that shows only texts does not carry the table.
 */
export function errorsFrom<Table extends ErrorTable>(table: Table) {
  return (code: keyof Table & string, details?: ErrorDetails): AppError => {
    const entry: ErrorEntry = table[code]!
    return new AppError(code, entry, details)
  }
}
