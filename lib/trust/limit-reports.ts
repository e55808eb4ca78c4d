import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consumeForNetwork } from '@/lib/infra/network-limit'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { platformError } from '@/lib/platform/messages'
import { trustTexts } from './messages'

const perNetwork: RateLimit = { name: 'report', points: 10, windowSeconds: 3_600 }
/** Reports of the same drop or profile from the same network count once a day. */
const perTarget: RateLimit = { name: 'report-drop', points: 1, windowSeconds: 24 * 3_600 }

/**
 * Counts a report from the visitor's network.
 * @param target the drop or profile
 * @returns whether the report counts; false when this network has reported the same target today.
 * @throws TOO_MANY_REQUESTS
 */
export async function limitReports(ctx: Context, target: string): Promise<boolean> {
  const retryAfterSeconds = await consumeForNetwork(perNetwork, ctx)
  if (retryAfterSeconds !== null) {
    throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds, text: trustTexts.reportLimit })
  }
  return (await consume(perTarget, `${target} ${ctx.network}`)) === null
}
