import 'server-only'
import { isSameSecret } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
import { isLocalOrigin } from '@/lib/infra/env-rules.mjs'
import { paymentsMode } from '@/lib/infra/stripe'
import { platformError } from '@/lib/platform/messages'

/**
 * Makes the pages and calls of the sandbox not found unless it is on (docs/contract.md#sandbox).
 * @throws NOT_FOUND
 */
export function assertSandbox(): void {
  if (paymentsMode() !== 'sandbox') throw platformError('NOT_FOUND')
}

/**
 * Guards the calls that make the stand-in simulate faults: open on a developer's machine; on a public preview they need
 * CRON_SECRET.
 * @throws NOT_FOUND
 */
export function assertSandboxControl(request: Request): void {
  assertSandbox()
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!isLocalOrigin(env().appUrl) && !isSameSecret(bearer, env().cronSecret)) throw platformError('NOT_FOUND')
}
