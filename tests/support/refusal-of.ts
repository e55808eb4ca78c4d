import { expect } from '@playwright/test'

type Refusal = { error: string; message: string; code: string; field?: string; requestId: string }

/**
 * Reads an error response and checks its form (docs/contract.md#errors). The status must be between 400 and 499, and
 * the body must not contain internal details.
 */
export async function refusalOf(response: Response): Promise<Refusal & { status: number }> {
  const text = await response.text()
  expect(response.status, text).toBeGreaterThanOrEqual(400)
  expect(response.status, text).toBeLessThan(500)
  expect(text).not.toMatch(/\bat .+:\d+:\d+|\bSELECT\b|\bINSERT\b/)
  expect(text).not.toMatch(/node_modules|prisma|postgres|\/tmp\/|\/uploads\//i)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  const body = JSON.parse(text) as Refusal
  expect(body.message).toBe(body.error)
  expect(body.code).toMatch(/^[A-Z_]+$/)
  expect(body.requestId).toMatch(/^req_/)
  return { ...body, status: response.status }
}
