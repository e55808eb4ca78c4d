import 'server-only'
import { isSameSecret } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
import { isLocalOrigin } from '@/lib/infra/env-rules.mjs'
import { paymentsMode } from '@/lib/infra/stripe'
import { platformError } from '@/lib/platform/messages'

/** The sandbox's doors exist only while it is on (CONTRACT). @throws NOT_FOUND */
export function assertSandbox(): void {
  if (paymentsMode() !== 'sandbox') throw platformError('NOT_FOUND')
}

/**
 * The doors that make the stand-in misbehave: on a developer's machine open, on a public preview only with the secret
 * of the scheduled routes. @throws NOT_FOUND
 */
export function assertSandboxControl(request: Request): void {
  assertSandbox()
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!isLocalOrigin(env().appUrl) && !isSameSecret(bearer, env().cronSecret)) throw platformError('NOT_FOUND')
}
