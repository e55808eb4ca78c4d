import 'server-only'
import { isSameSecret } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
import { paymentsMode } from '@/lib/infra/stripe'
import { platformError } from '@/lib/platform/messages'

/**
 * Guards the pages and calls of the sandbox (docs/contract.md#sandbox).
 * @throws NOT_FOUND unless this installation uses sandbox payments
 */
export function assertSandbox(): void {
  if (paymentsMode() !== 'sandbox') throw platformError('NOT_FOUND')
}

/**
 * Guards the calls that control the stand-in. These calls need CRON_SECRET on an installation that others can reach,
 * and are open on a developer's machine.
 * @throws NOT_FOUND
 */
export function assertSandboxControl(request: Request): void {
  assertSandbox()
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (env().isExposed && !isSameSecret(bearer, env().cronSecret)) throw platformError('NOT_FOUND')
}

/**
 * Whether the page that shows everyone's emails is open. Emails contain links that reset passwords, so the page is open
 * only on a machine that nobody else can reach, and only while no mail server is set.
 */
export function isMailboxOpen(): boolean {
  return paymentsMode() === 'sandbox' && !env().isExposed && env().smtpUrl === null
}

/**
 * Guards the call that lists everyone's emails. The call needs CRON_SECRET on an installation that others can reach,
 * and is closed when a mail server is set.
 * @throws NOT_FOUND
 */
export function assertMailbox(request: Request): void {
  assertSandboxControl(request)
  if (env().smtpUrl !== null) throw platformError('NOT_FOUND')
}
