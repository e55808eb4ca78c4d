import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { isSameSecret, keyedHash } from '@/lib/infra/crypto'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { orderError } from './messages'
import { DOWNLOADS_PER_ORDER, mayDownload } from './rules'

const LINK_MS = 5 * MINUTE_MS

const signatureOf = (token: string, expiresAtMs: number) => keyedHash('download', `${token}.${expiresAtMs}`)

/** After this many downloads of a linked file, only one an hour is recorded, so that nobody can fill the table. */
const RECORDED_LINKS = 20

type DownloadInput = { token: string; userAgent: string }

/**
 * Creates a link for one more download of a paid file. Each new link is recorded as a download, which is evidence in a
 * dispute. The order is locked while its downloads are counted, so that concurrent calls cannot exceed the limit. A
 * link to our own storage is valid for five minutes, so that an interrupted download can resume.
 * @returns the path of the link, or the seller's own link when the file is stored elsewhere.
 * @throws NOT_FOUND for an unknown order, an order without a file, and an order whose buyer may not download it;
 *   NO_DOWNLOADS_LEFT
 */
export async function mintDownload(ctx: Context, input: DownloadInput): Promise<string> {
  return transaction(ctx, async (tx) => {
    const { isOurs, ...order } = await lockPaidFile(tx, input.token)
    if (!isOurs) return followLink(tx, order, input)
    if (order.downloads >= DOWNLOADS_PER_ORDER) throw orderError('NO_DOWNLOADS_LEFT')
    await record(tx, order.id, input)
    const expiresAtMs = ctx.clock.now().getTime() + LINK_MS
    return `/o/${input.token}/file?until=${expiresAtMs}&signature=${signatureOf(input.token, expiresAtMs)}`
  })
}

/**
 * Records that the buyer opens a file that the seller keeps elsewhere.
 * @returns the seller's link, or the path of the order page when the file is in our own storage.
 * @throws NOT_FOUND, as mintDownload()
 */
export async function openLinkedFile(ctx: Context, input: DownloadInput): Promise<string> {
  return transaction(ctx, async (tx) => {
    const { isOurs, ...order } = await lockPaidFile(tx, input.token)
    return isOurs ? `/o/${input.token}` : followLink(tx, order, input)
  })
}

type PaidFile = { id: string; downloads: number; url: string | null }

async function lockPaidFile(tx: Context, token: string): Promise<PaidFile & { isOurs: boolean }> {
  await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "token" = ${token} FOR UPDATE`
  const order = await tx.db.order.findUnique({
    where: { token },
    include: { drop: { include: { digitalFile: true } }, _count: { select: { downloads: true } } },
  })
  const file = order?.drop.digitalFile
  if (!order || !file || !mayDownload(order.status)) throw orderError('NOT_FOUND')
  return { id: order.id, downloads: order._count.downloads, url: file.url, isOurs: file.source === 'upload' }
}

async function followLink(tx: Context, { id, downloads, url }: PaidFile, input: DownloadInput): Promise<string> {
  const anHourAgo = new Date(tx.clock.now().getTime() - HOUR_MS)
  const isRecorded =
    downloads >= RECORDED_LINKS &&
    (await tx.db.download.count({ where: { orderId: id, createdAt: { gt: anHourAgo } } })) > 0
  if (!isRecorded) await record(tx, id, input)
  return url ?? `/o/${input.token}`
}

async function record(tx: Context, orderId: string, { userAgent }: DownloadInput): Promise<void> {
  await tx.db.download.create({ data: { orderId, ip: tx.ip, userAgent: userAgent.slice(0, 300) } })
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
