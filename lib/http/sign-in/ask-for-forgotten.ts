import 'server-only'
import { after } from 'next/server'
import { forgotPasswordLimit, forgotUsernameLimit } from '@/lib/accounts/guards'
import { requestPasswordReset } from '@/lib/accounts/request-password-reset'
import type { ForgotInput } from '@/lib/accounts/schema'
import { sendUsername } from '@/lib/accounts/send-username'
import type { Context } from '@/lib/infra/context'
import { assertWithinNetworkLimit } from '../guard'

const kinds = {
  password: {
    limit: forgotPasswordLimit,
    send: requestPasswordReset,
    failure: 'the email with the reset link could not be queued',
  },
  username: {
    limit: forgotUsernameLimit,
    send: sendUsername,
    failure: 'the email with the username could not be queued',
  },
} as const

/**
 * Emails a reset link or a username. The account is looked up only after the response is sent, so that neither the
 * content nor the timing of the response reveals whether it exists
 * (docs/product.md#forgotten-passwords-and-usernames).
 * @throws TOO_MANY_REQUESTS
 */
export async function askForForgotten(ctx: Context, forgotten: keyof typeof kinds, input: ForgotInput): Promise<void> {
  const { limit, send, failure } = kinds[forgotten]
  await assertWithinNetworkLimit(limit, ctx)
  after(() => send(ctx, input).catch((error: unknown) => ctx.log.error({ cause: String(error) }, failure)))
}
