import 'server-only'
import type { Context } from '@/lib/infra/context'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'
import { siteOf } from '@/lib/kernel/network-address.mjs'
import { platformError } from '@/lib/platform/messages'

/**
 * The highest number of confirmation emails per list and hour. A drop that goes viral needs a few hundred. Without a
 * limit, strangers could use us to send emails to addresses of their choice.
 */
const perList = { points: 1_000, windowSeconds: 3_600 }
/**
 * How many of them one customer of an internet provider may cause. Such a customer can have 65,536 networks of IPv6,
 * each with a limit of its own, and could otherwise use up the limit of a list for everyone.
 */
const perSite: RateLimit = { name: 'opt-in-site', points: 250, windowSeconds: 3_600 }

/**
 * Counts an email that asks whether its recipient wants to be on a list.
 * @param list the waitlist of a drop, or the followers of a seller
 * @throws TOO_MANY_REQUESTS
 */
export async function countOptIn(
  { ip, isUnknownProxy }: Pick<Context, 'ip' | 'isUnknownProxy'>,
  list: { name: 'waitlist-drop' | 'follow-seller'; id: number },
): Promise<void> {
  const { name, id } = list
  // Behind an unknown proxy, all visitors have the same address.
  const isKnown = ip !== '' && !isUnknownProxy
  const retryAfterSeconds =
    (isKnown ? await consume(perSite, `${name} ${id} ${siteOf(ip)}`) : null) ??
    (await consume({ name, ...perList }, String(id)))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
}
