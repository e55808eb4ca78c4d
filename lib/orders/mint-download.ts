import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { isSameSecret, keyedHash } from '@/lib/infra/crypto'
import { MINUTE_MS } from '@/lib/kernel/time'
import { orderError } from './messages'
import { DOWNLOADS_PER_ORDER, mayDownload } from './rules'

const LINK_MS = 5 * MINUTE_MS

const signatureOf = (token: string, expiresAtMs: number) => keyedHash('download', `${token}.${expiresAtMs}`)

/**
 * Creates a link for one more download of a paid file. Each new link is recorded as a download, which is evidence in a
 * dispute. The order is locked while its downloads are counted, so that concurrent calls cannot exceed the limit. A
 * link to our own storage is valid for five minutes, so that an interrupted download can resume.
 * @returns the path of the link, or the seller's own link when the file is stored elsewhere.
 * @throws NOT_FOUND for an unknown order, an order without a file, and an order whose buyer may not download it;
 *   NO_DOWNLOADS_LEFT
 */
export async function mintDownload(ctx: Context, input: { token: string; userAgent: string }): Promise<string> {
  const { token } = input
  return transaction(ctx, async (tx) => {
    await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "token" = ${token} FOR UPDATE`
    const order = await tx.db.order.findUnique({
      where: { token },
      include: { drop: { include: { digitalFile: true } }, _count: { select: { downloads: true } } },
    })
    const file = order?.drop.digitalFile
    if (!order || !file || !mayDownload(order.status)) throw orderError('NOT_FOUND')
    const isOurs = file.source === 'upload'
    if (isOurs && order._count.downloads >= DOWNLOADS_PER_ORDER) throw orderError('NO_DOWNLOADS_LEFT')
    const userAgent = input.userAgent.slice(0, 300)
    await tx.db.download.create({ data: { orderId: order.id, ip: ctx.ip, userAgent } })
    if (!isOurs) return file.url ?? `/o/${token}`
    const expiresAtMs = ctx.clock.now().getTime() + LINK_MS
    return `/o/${token}/file?until=${expiresAtMs}&signature=${signatureOf(token, expiresAtMs)}`
  })
}

export type SignedDownload = { token: string; until: number; signature: string }

/**
 * Finds the stored file that a signed link leads to.
 * @throws LINK_EXPIRED for a link that has expired, was altered or belongs to another order; NOT_FOUND once a refund or
 *   a dispute has ended the access.
 */
export async function getDownload(
  ctx: Context,
  { token, until, signature }: SignedDownload,
): Promise<{ storageKey: string; fileName: string }> {
  if (!isSameSecret(signature, signatureOf(token, until)) || until < ctx.clock.now().getTime()) {
    throw orderError('LINK_EXPIRED')
  }
  const order = await ctx.db.order.findUnique({
    where: { token },
    include: { drop: { include: { digitalFile: true } } },
  })
  const file = order?.drop.digitalFile
  if (!order || !file?.storageKey || !mayDownload(order.status)) throw orderError('NOT_FOUND')
  return { storageKey: file.storageKey, fileName: file.fileName }
}
