import { genericFailure } from '@/lib/platform/messages'

/**
 * A refused call. Its message is "status: body" (SPEC §8); `text`, `code` and `field` are what the body says.
 */
export class ApiError extends Error {
  readonly status: number
  /** What the body says, if it says anything. */
  readonly said: string | undefined
  readonly text: string
  readonly code: string | undefined
  readonly field: string | undefined

  constructor(status: number, body: string, statusText: string) {
    super(`${status}: ${body || statusText}`)
    this.name = 'ApiError'
    this.status = status
    const parsed = readBody(body)
    this.said = parsed.error ?? parsed.message
    this.text = this.said ?? genericFailure
    this.code = parsed.code
    this.field = parsed.field
  }
}

type ErrorBody = { error?: string; message?: string; code?: string; field?: string }

function readBody(body: string): ErrorBody {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

/** The text to show for anything that went wrong. */
export function failureText(error: unknown): string {
  return error instanceof ApiError ? error.text : genericFailure
}

/** Whether the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401
}

/** Somebody whose session has ended sees the login, and comes back here afterwards. */
export function goToLogin(): void {
  const { pathname, search, origin } = window.location
  const login = new URL(`/login?redirect=${encodeURIComponent(pathname + search)}`, origin)
  window.location.assign(login)
}

/** A call to our own API, with cookies; a JSON body carries its content type only when there is one (SPEC §7). */
export async function callApi<Result>(method: string, path: string, body?: unknown): Promise<Result> {
  const response = await fetch(path, {
    method,
    credentials: 'include',
    headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return readAnswer<Result>(response)
}

/** @throws ApiError for anything that is not a success. */
async function readAnswer<Result>(response: Response): Promise<Result> {
  const text = await response.text()
  if (!response.ok) throw new ApiError(response.status, text, response.statusText)
  return (text ? JSON.parse(text) : undefined) as Result
}
