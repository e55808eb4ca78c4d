import 'server-only'
import type { Context } from '@/lib/infra/context'
import { queueMail } from '@/lib/notifications/queue-mail'
import { recordAudit } from '@/lib/platform/record-audit'
import { releaseObjects } from '@/lib/uploads/claim-objects'
import type { LockedDrop } from '../guards'
import { linkChangedMail } from '../mails'
import { dropError, dropTexts, missingText } from '../messages'
import type { EditDropFields } from '../schema'
import { startTexts } from '../start/start-messages'
import type { StoredFile } from '../files/store-file'

/**
 * Changes what buyers of a digital drop receive. A new link or file replaces the earlier one. A drop of another type
 * has neither. Returns the key of a stored file that is no longer used.
 * @throws MISSING_FIELDS, FILE_NOT_DIGITAL
 */
export async function changeDelivery(
  tx: Context,
  drop: LockedDrop,
  { productType = drop.productType, digitalFileUrl: url, title: fileName = drop.title }: EditDropFields,
  upload?: StoredFile,
): Promise<string[]> {
  const dropId = drop.id
  const file = await tx.db.digitalFile.findUnique({ where: { dropId } })
  if (productType === 'digital' && url === undefined && !upload) {
    // A link always has the name of the drop, but an uploaded file keeps its own name.
    if (file?.source === 'link') await tx.db.digitalFile.update({ where: { dropId }, data: { fileName } })
    if (file ?? drop.keysGiven !== null) return []
    const text = `${dropTexts.missingTitle}. ${missingText(['digitalFile'])}`
    throw dropError('MISSING_FIELDS', { text, field: 'digitalFileUrl' })
  }
  if (productType !== 'digital' && upload) throw dropError('FILE_NOT_DIGITAL')
  if (productType !== 'digital' && url !== undefined) throw dropError('FILE_NOT_DIGITAL', { field: 'digitalFileUrl' })
  await tx.db.digitalFile.deleteMany({ where: { dropId } })
  if (upload) await tx.db.digitalFile.create({ data: { dropId, source: 'upload', ...upload } })
  else if (url !== undefined) await tx.db.digitalFile.create({ data: { dropId, source: 'link', url, fileName } })
  return file?.storageKey ? [file.storageKey] : []
}

/**
 * Replaces the link or the file that buyers get. A link may be replaced by another link at any time, because it can be
 * mistyped or stop working. An uploaded file cannot break, so it is fixed from the first sale on, and so is the choice
 * between a link and a file. What was replaced is recorded in the audit log, since buyers may have paid for it. Returns
 * the key of a stored file that is no longer used.
 * @throws STARTED, MISSING_FIELDS, FILE_NOT_DIGITAL
 */
export async function replaceDelivery(
  tx: Context,
  drop: LockedDrop,
  fields: EditDropFields,
  upload?: StoredFile,
): Promise<string[]> {
  const { digitalFileUrl: url } = fields
  if (url === undefined && !upload) return []
  const before = await tx.db.digitalFile.findUnique({ where: { dropId: drop.id } })
  const isSold = await hasBuyers(tx, drop)
  if (isSold && (upload ?? before?.source === 'upload')) {
    throw dropError('STARTED', { field: upload ? 'digitalFile' : 'digitalFileUrl', text: startTexts.fileFixed })
  }
  const unused = await changeDelivery(tx, drop, fields, upload)
  await releaseObjects(tx, unused)
  await recordAudit(tx, {
    action: 'drop.link',
    targetType: 'drop',
    targetId: drop.id,
    before: { link: before?.url ?? before?.fileName ?? null },
    after: { link: upload?.fileName ?? url ?? null },
  })
  if (isSold && url !== undefined) await noteNewLink(tx, drop, url)
  return unused
}

/** Whether an order of any run is paid. A payment waits for the drop's row, so call it with that row locked. */
async function hasBuyers(tx: Context, { id }: LockedDrop): Promise<boolean> {
  return (await tx.db.order.count({ where: { dropId: id, paidAt: { not: null } } })) > 0
}

/** Emails the seller about a new link. A thief with the seller's session could mislead the drop's buyers. */
async function noteNewLink(tx: Context, { id, now }: LockedDrop, link: string): Promise<void> {
  const { user, ...drop } = await tx.db.drop.findUniqueOrThrow({ where: { id }, include: { user: true } })
  await queueMail(tx, [linkChangedMail(drop, user, link, now.toISOString().slice(0, 'yyyy-mm-dd'.length), tx.appUrl)])
}
