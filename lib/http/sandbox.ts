import 'server-only'
import { isSameSecret } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
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
 * Guards the calls that make the stand-in simulate faults: open on a developer's machine; where others can reach it they
 * need CRON_SECRET.
 * @throws NOT_FOUND
 */
export function assertSandboxControl(request: Request): void {
  assertSandbox()
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (env().isExposed && !isSameSecret(bearer, env().cronSecret)) throw platformError('NOT_FOUND')
}

/**
 * Whether the page that shows everybody's mail is open: it holds links that reset passwords, so only on a machine that
 * nobody else can reach, and not when mail is really sent.
 */
export function isMailboxOpen(): boolean {
  return paymentsMode() === 'sandbox' && !env().isExposed && env().smtpUrl === null
}

/**
 * Guards the call that lists everybody's mail, like the page; where others can reach it, it needs CRON_SECRET.
 * @throws NOT_FOUND
 */
export function assertMailbox(request: Request): void {
  assertSandboxControl(request)
  if (env().smtpUrl !== null) throw platformError('NOT_FOUND')
}
