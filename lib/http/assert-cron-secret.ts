import 'server-only'
import { isSameSecret } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
import { platformError } from '@/lib/platform/messages'

/**
 * Checks that a request has CRON_SECRET as its bearer token, because schedulers and metrics collectors have no session.
 * @throws NOT_SIGNED_IN
 */
export function assertCronSecret(request: Request): void {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!isSameSecret(bearer, env().cronSecret)) throw platformError('NOT_SIGNED_IN')
}
