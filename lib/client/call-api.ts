import { genericFailure } from '@/lib/platform/messages'

/**
 * A refused call. Its message is "status: body" (docs/contract.md#errors), with the status text in place of an empty
 * body. `code`, `field` and `work` come from the body, and so does `text` unless the body has none.
 */
export class ApiError extends Error {
  readonly status: number
  /** The error text of the body, if it has one. */
  readonly serverText: string | undefined
  readonly text: string
  readonly code: string | undefined
  readonly field: string | undefined
  /** The proof of work that the browser must solve before it repeats the call (lib/client/solve-proof-of-work.ts). */
  readonly work: string | undefined
  /** The path of our page to which the browser should go instead. */
  readonly url: string | undefined

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
    this.url = parsed.url
  }
}

type ErrorBody = { error?: string; message?: string; code?: string; field?: string; work?: string; url?: string }

function readBody(body: string): ErrorBody {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** Returns the text to show to the user for any error. */
export function failureText(error: unknown): string {
  return error instanceof ApiError ? error.text : genericFailure
}

/** Whether the error is a 401, which a call returns when the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Opens the login page for a user whose session has ended. The login leads back to this page. */
export function goToLogin(): void {
  const { pathname, search, origin } = window.location
  const login = new URL(`/login?redirect=${encodeURIComponent(pathname + search)}`, origin)
  window.location.assign(login)
}

/**
 * Calls our own API with cookies and returns the parsed body. Only a request with a body has a content type, which is
 * JSON (docs/contract.md#calls).
 * @param options may cancel the call (`signal`) or let it outlive the page (`keepalive`).
 * @throws ApiError for any response that is not a success, and what fetch() throws when there is no response.
 */
export async function callApi<Result>(
  method: string,
  path: string,
  body?: unknown,
  options?: Pick<RequestInit, 'signal' | 'keepalive'>,
): Promise<Result> {
  const response = await fetch(path, {
    ...options,
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
