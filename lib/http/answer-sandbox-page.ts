import 'server-only'
import { standIn } from '@/lib/infra/stripe'

/** Responds to a request for a page of the stand-in, which exists only in the sandbox (docs/contract.md#sandbox). */
export async function answerSandboxPage(request: Request): Promise<Response> {
  return (await standIn()?.pages(request)) ?? new Response('Not found', { status: 404 })
}
