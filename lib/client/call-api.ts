import { genericFailure } from '@/lib/platform/messages'

/**
 * A refused call. Its message is "status: body" (docs/contract.md#errors); `text`, `code` and `field` come from the
 * body.
 */
export class ApiError extends Error {
  readonly status: number
  /** The error text of the body, if it has one. */
  readonly serverText: string | undefined
  readonly text: string
  readonly code: string | undefined
  readonly field: string | undefined
  /** What the browser has to work out before it asks again (lib/client/solve-work.ts). */
  readonly work: string | undefined

  constructor(status: number, body: string, statusText: string) {
    super(`${status}: ${body || statusText}`)
    this.name = 'ApiError'
    this.status = status
    const parsed = readBody(body)
    this.serverText = parsed.error ?? parsed.message
    this.text = this.serverText ?? genericFailure
    this.code = parsed.code
    this.field = parsed.field
    this.work = parsed.work
  }
}

type ErrorBody = { error?: string; message?: string; code?: string; field?: string; work?: string }

function readBody(body: string): ErrorBody {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** The text to show to the user for any error. */
export function failureText(error: unknown): string {
  return error instanceof ApiError ? error.text : genericFailure
}

/** Whether the error means that the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Sends a user whose session has ended to the login, which returns to this page afterwards. */
export function goToLogin(): void {
  const { pathname, search, origin } = window.location
  const login = new URL(`/login?redirect=${encodeURIComponent(pathname + search)}`, origin)
  window.location.assign(login)
}

/** Calls our own API, with cookies. Only a request with a JSON body has a content type (docs/contract.md#calls). */
export async function callApi<Result>(method: string, path: string, body?: unknown): Promise<Result> {
  const response = await fetch(path, {
    method,
    credentials: 'include',
    headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return readAnswer<Result>(response)
}

/** @throws ApiError for any response that is not a success. */
async function readAnswer<Result>(response: Response): Promise<Result> {
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, text, response.statusText)
  return (text ? JSON.parse(text) : undefined) as Result
}
