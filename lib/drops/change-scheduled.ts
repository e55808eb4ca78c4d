import 'server-only'
import type { Prisma } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { photoKey } from '@/lib/infra/images'
import type { AppError } from '@/lib/kernel/app-error'
import { HOUR_MS } from '@/lib/kernel/time'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { planRules } from '@/lib/plans/rules'
import { assertCodesFit } from './create-code'
import type { LockedDrop, LockedSeller } from './guards'
import { dropError, dropTexts, missingText, planHint } from './messages'
import { readStart } from './read-start'
import type { EditDropFields } from './schema'
import { beforeStartFields } from './start-schema'
import { toImageView } from './view'

/** Whether an edit changes something that is fixed once a drop has started. */
export function changesScheduled(fields: EditDropFields): boolean {
  return firstOf(fields) !== undefined
}

const firstOf = (fields: EditDropFields) => beforeStartFields.find((name) => fields[name] !== undefined)

/** The refusal of an edit whose field is fixed since the start. It names the field, as for a field that nobody may change. */
export function startedError(fields: EditDropFields): AppError {
  return dropError('STARTED', { field: firstOf(fields) })
}

/**
 * Changes what may change until a scheduled drop starts: name, price, type, duration, start, and which pictures stay. Call it
 * with the seller's row and the drop's row locked.
 * @returns the changes of the drop's row, and the keys of stored objects that nothing uses any more.
 * @throws STARTED, PLAN_REQUIRED, MISSING_FIELDS, START_INVALID, START_SKIPPED, START_PAST, START_TOO_FAR, IMAGE_UNKNOWN,
 *   PRICE_BELOW_CODE
 */
export async function changeScheduled(
  tx: Context,
  { drop, seller }: { drop: LockedDrop; seller: LockedSeller },
  fields: EditDropFields,
): Promise<{ data: Prisma.DropUncheckedUpdateInput; unused: string[] }> {
  if (!changesScheduled(fields)) return { data: {}, unused: [] }
  if (!(await isBeforeStart(tx, drop))) throw startedError(fields)
  const { title, price, productType, shippingNote } = fields
  await assertChangeFits(tx, { dropId: drop.id, seller }, fields)
  const timing = await changeTimes(tx, { drop, seller }, fields)
  const unused = [...(await changeDelivery(tx, drop, fields)), ...(await keepImages(tx, drop.id, fields.keepImages))]
  await tx.db.storedObject.updateMany({ where: { key: { in: unused } }, data: { claimedAt: null } })
  return { data: { title, priceCents: price, productType, shippingNote, ...timing }, unused }
}

/**
 * Checks an edit against the seller's plan, the clock and the drop's discount codes. It is checked before photos are processed,
 * and again under the lock.
 * @throws PLAN_REQUIRED, START_INVALID, START_SKIPPED, START_PAST, START_TOO_FAR, PRICE_BELOW_CODE
 */
export async function assertChangeFits(
  ctx: Context,
  { dropId, seller }: { dropId: number; seller: Pick<LockedSeller, 'plan' | 'isAdmin' | 'timezone'> },
  { productType, price, startsAt }: EditDropFields,
): Promise<void> {
  if (productType !== undefined && !planRules(seller).productTypes.includes(productType)) {
    throw dropError('PLAN_REQUIRED', { text: planHint(productType), field: 'productType' })
  }
  if (price !== undefined) await assertCodesFit(ctx, dropId, price)
  if (startsAt !== undefined && startsAt !== 'now') await readStart(ctx, startsAt, seller.timezone)
}

/**
 * Whether the drop has not started yet and nobody holds a unit. The transaction may have waited for the row's lock beyond the
 * start, so it is the time of this statement that counts, and not that of the transaction.
 */
export async function isBeforeStart(tx: Context, { id }: Pick<LockedDrop, 'id'>): Promise<boolean> {
  const [row] = await tx.db.$queryRaw<{ isBefore: boolean }[]>`
    SELECT "startedAt" > clock_timestamp() AND NOT ("held" > 0 OR "sold" > 0) AS "isBefore" FROM "Drop" WHERE "id" = ${id}`
  return row?.isBefore ?? false
}

/** The new times of the drop and of its run. Those who were reminded of another start are reminded again. */
async function changeTimes(
  tx: Context,
  { drop, seller }: { drop: LockedDrop; seller: LockedSeller },
  { startsAt, duration: hours }: EditDropFields,
): Promise<{ startedAt?: Date; endTime?: Date; duration?: number }> {
  if (startsAt === undefined && hours === undefined) return {}
  const duration = hours ?? drop.duration
  const typed = startsAt === 'now' ? undefined : startsAt
  const startedAt = startsAt === undefined ? drop.startedAt : await readStart(tx, typed, seller.timezone)
  const endTime = new Date(startedAt.getTime() + duration * HOUR_MS)
  const { id: dropId, run } = drop
  await tx.db.dropRun.updateMany({ where: { dropId, run }, data: { startedAt, endTime } })
  if (startedAt.getTime() !== drop.startedAt.getTime()) {
    await recallStartMails(tx, { dropIds: [dropId] })
    await tx.db.waitlistEntry.updateMany({ where: { dropId, notifiedRun: run }, data: { notifiedRun: null } })
  }
  return { startedAt, endTime, duration }
}

/** What buyers of a digital drop get: a new link, the file it has, or nothing once the drop is of another type. */
async function changeDelivery(
  tx: Context,
  drop: LockedDrop,
  { productType = drop.productType, digitalFileUrl: url, title: fileName = drop.title }: EditDropFields,
): Promise<string[]> {
  const dropId = drop.id
  const file = await tx.db.digitalFile.findUnique({ where: { dropId } })
  if (productType === 'digital' && url === undefined) {
    // A link has the name of the drop; a file keeps its own.
    if (file?.source === 'link') await tx.db.digitalFile.update({ where: { dropId }, data: { fileName } })
    if (file) return []
    const text = `${dropTexts.missingTitle}. ${missingText(['digitalFile'])}`
    throw dropError('MISSING_FIELDS', { text, field: 'digitalFileUrl' })
  }
  if (productType !== 'digital' && url !== undefined) throw dropError('FILE_NOT_DIGITAL', { field: 'digitalFileUrl' })
  await tx.db.digitalFile.deleteMany({ where: { dropId } })
  if (url !== undefined) await tx.db.digitalFile.create({ data: { dropId, source: 'link', url, fileName } })
  return file?.storageKey ? [file.storageKey] : []
}

/** Removes the pictures that are not named and brings the others into the sequence in which they are named. */
async function keepImages(tx: Context, dropId: number, kept: string[] | undefined): Promise<string[]> {
  if (kept === undefined) return []
  const rows = await tx.db.dropImage.findMany({ where: { dropId }, orderBy: { position: 'asc' } })
  const named = kept.map((src) => rows.find((row) => toImageView(row).src === src))
  const stay = [...new Set(named)].filter((row) => row !== undefined)
  if (stay.length !== kept.length) throw dropError('IMAGE_UNKNOWN')
  const gone = rows.filter((row) => !stay.includes(row))
  // All rows are written anew, because two pictures may not have one position even for a moment.
  await tx.db.dropImage.deleteMany({ where: { dropId } })
  await tx.db.dropImage.createMany({ data: stay.map((row, position) => ({ ...row, position })) })
  return gone.flatMap(({ key, widths }) => widths.map((width) => photoKey(key, width)))
}
