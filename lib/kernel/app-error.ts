/** One entry of a domain's error table: the status, the text for users, and the form field that is wrong. */
export type ErrorEntry = { status: number; text: string; field?: string }
export type ErrorTable = Record<string, ErrorEntry>

type ErrorDetails = {
  text?: string
  field?: string
  cause?: unknown
  retryAfterSeconds?: number
  work?: string
  url?: string
}

/**
 * The only error whose text reaches a client. toAppError() replaces any other error with one that has a generic text
 * and the status 500 or 503 (docs/contract.md#errors).
 */
export class AppError extends Error {
  readonly code: string
  readonly status: number
  readonly field: string | undefined
  readonly retryAfterSeconds: number | undefined
  /**
   * The token for the proof of work that a browser must send with its next attempt (docs/contract.md#proof-of-work).
   */
  readonly work: string | undefined
  /** The path of our page to which the browser should go instead. */
  readonly url: string | undefined

  constructor(code: string, entry: ErrorEntry, details: ErrorDetails = {}) {
    super(details.text ?? entry.text, { cause: details.cause })
    this.name = 'AppError'
    this.code = code
    this.status = entry.status
    this.field = details.field ?? entry.field
    this.retryAfterSeconds = details.retryAfterSeconds
    this.work = details.work
    this.url = details.url
  }
}

/**
 * Turns a domain's error table into the function that creates its errors: `throw dropError('SOLD_OUT')`. Mark a call of
 * errorsFrom as pure in a file whose texts pages import, so that the bundles of these pages do not contain the table.
 */
export function errorsFrom<Table extends ErrorTable>(table: Table) {
  return (code: keyof Table & string, details?: ErrorDetails): AppError => {
    const entry: ErrorEntry = table[code]!
    return new AppError(code, entry, details)
  }
}
