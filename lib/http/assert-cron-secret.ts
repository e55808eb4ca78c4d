import 'server-only'
import { isSameSecret } from '@/lib/infra/crypto'
import { env } from '@/lib/infra/env'
import { platformError } from '@/lib/platform/messages'

/** Schedulers and collectors have no session: they prove themselves with CRON_SECRET. @throws NOT_SIGNED_IN */
export function assertCronSecret(request: Request): void {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (!isSameSecret(bearer, env().cronSecret)) throw platformError('NOT_SIGNED_IN')
}
