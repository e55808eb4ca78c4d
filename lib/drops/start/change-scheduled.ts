import 'server-only'
import type { Prisma } from '@prisma/client'
import type { Context } from '@/lib/infra/context'
import { photoFileKeys } from '@/lib/infra/images'
import type { AppError } from '@/lib/kernel/app-error'
import { HOUR_MS } from '@/lib/kernel/time'
import { forgetStartMails, recallStartMails } from '@/lib/notifications/recall-start-mails'
import { planRules } from '@/lib/plans/rules'
import { releaseObjects } from '@/lib/uploads/claim-objects'
import { changeDelivery, replaceDelivery } from '../delivery/change-delivery'
import { assertEarlyAhead, assertLinksUnsent } from './change-early'
import { assertCodesFit, assertCodesOutlast } from '../codes/create-code'
import type { LockedDrop, LockedSeller } from '../guards'
import { dropError, planHint } from '../messages'
import { noteRunChange } from '../history/note-run-change'
import { readStart } from './read-start'
import { startTexts } from './start-messages'
import type { EditDropFields } from '../schema'
import { beforeStartFields } from './start-schema'
import type { StoredFile } from '../files/store-file'
import { toImageView } from '../view'
import { zoneTexts } from '../delivery/zone-messages'
import { fitsPrice, type ShippingZone } from '../delivery/zone-rules'

/** Whether an edit changes something that is fixed once a drop has started. */
export function hasFixedFields(fields: EditDropFields): boolean {
  return firstFixedField(fields) !== undefined
}

const firstFixedField = (fields: EditDropFields) => beforeStartFields.find((name) => fields[name] !== undefined)

/**
 * Returns the error for an edit of a field that cannot change after the start, or after the first followers could buy.
 * The error names the field.
 */
export function startedError(fields: EditDropFields, drop: { startedAt: Date; now: Date }): AppError {
  const field = firstFixedField(fields)
  if (field === 'shippingZones') return dropError('STARTED', { field, text: zoneTexts.fixed })
  return dropError('STARTED', { field, text: drop.startedAt > drop.now ? startTexts.earlyOpen : startTexts.started })
}

/**
 * Changes what may change until a scheduled drop starts: name, price, type, duration, start, delivery, and which
 * pictures stay. The name of the option is changed by changeOption(). Call it with the seller's row and the drop's row
 * locked.
 * @param change.upload the stored file that the buyers of a digital drop shall get.
 * @returns the changes that the caller writes to the drop's row, and the keys of stored objects
 *   that nothing uses anymore.
 * @throws STARTED, PLAN_REQUIRED, MISSING_FIELDS, FILE_NOT_DIGITAL, START_INVALID, START_SKIPPED, START_PAST,
 *   START_TOO_FAR, START_AFTER_PLAN, EARLY_PAST, EARLY_SENT, IMAGE_UNKNOWN, PRICE_BELOW_CODE, CODE_ENDS_BEFORE_START,
 *   NUMBERED_SERVICE, KEYS_STAY_DIGITAL, SURCHARGE_TOO_HIGH
 */
export async function changeScheduled(
  tx: Context,
  { drop, seller, upload }: { drop: LockedDrop; seller: LockedSeller; upload: StoredFile | undefined },
  fields: EditDropFields,
): Promise<{ data: Prisma.DropUncheckedUpdateInput; unused: string[] }> {
  if (!hasFixedFields(fields)) return { data: {}, unused: await replaceDelivery(tx, drop, fields, upload) }
  if (!(await isBeforeStart(tx, drop))) throw startedError(fields, drop)
  const { title, price, productType, condition, shippingNote, shipsFrom, shipsWithin } = fields
  if (drop.isNumbered && productType === 'service') throw dropError('NUMBERED_SERVICE', { field: 'productType' })
  if (drop.keysGiven !== null && (productType ?? 'digital') !== 'digital') throw dropError('KEYS_STAY_DIGITAL')
  await assertLinksUnsent(tx, drop, fields)
  await assertChangeFits(tx, { dropId: drop.id, seller }, fields)
  const timing = await changeTimes(tx, { drop, seller }, fields)
  const unused = [
    ...(await changeDelivery(tx, drop, fields, upload)),
    ...(await keepImages(tx, drop.id, fields.keepImages)),
  ]
  await releaseObjects(tx, unused)
  // A download or a service is not sent by post, so changing to one of these types removes the promise about parcels
  // and the condition of the goods.
  const isShipped = (productType ?? drop.productType) === 'physical'
  const promise = isShipped
    ? { condition, shipsFrom, shipsWithin }
    : { condition: 'new' as const, shipsFrom: null, shipsWithin: null }
  const zones = await writeZones(tx, drop, fields, isShipped)
  // Reminders that were not sent yet name the title and the price. The emails to followers are compared with the time
  // of this change (lib/followers/notify-followers.ts).
  await recallStartMails(tx, [drop.id])
  return { data: { title, priceCents: price, productType, shippingNote, ...promise, ...zones, ...timing }, unused }
}

/**
 * Returns the zones that the caller writes to the drop's row. A drop that is not shipped, or whose price includes
 * shipping, has none, so its zones are removed here.
 * @throws SURCHARGE_TOO_HIGH when one unit could not be paid with a surcharge
 */
async function writeZones(
  tx: Context,
  drop: LockedDrop,
  { price = drop.priceCents, shippingZones = drop.shippingZones as ShippingZone[] | null }: EditDropFields,
  isShipped: boolean,
): Promise<{ shippingZones?: ShippingZone[] }> {
  if (isShipped && shippingZones) {
    if (!fitsPrice(shippingZones, price)) throw dropError('SURCHARGE_TOO_HIGH')
    return { shippingZones }
  }
  // The zones are removed before the type changes, because a rule of the table refuses zones of a drop that is not
  // shipped.
  await tx.sql('remove-zones', 'UPDATE "Drop" SET "shippingZones" = NULL WHERE "id" = :id', { id: drop.id })
  return {}
}

/**
 * Checks an edit against the seller's plan, the clock and the drop's discount codes. The check runs before photos are
 * processed, and again under the lock.
 * @throws PLAN_REQUIRED, START_INVALID, START_SKIPPED, START_PAST, START_TOO_FAR, START_AFTER_PLAN,
 *   PRICE_BELOW_CODE, CODE_ENDS_BEFORE_START
 */
export async function assertChangeFits(
  ctx: Context,
  { dropId, seller }: { dropId: number; seller: Pick<LockedSeller, 'id' | 'plan' | 'isAdmin' | 'timezone'> },
  { productType, price, startsAt }: EditDropFields,
): Promise<void> {
  if (productType !== undefined && !planRules(seller).productTypes.includes(productType)) {
    throw dropError('PLAN_REQUIRED', { text: planHint(productType), field: 'productType' })
  }
  if (price !== undefined) await assertCodesFit(ctx, dropId, price)
  if (startsAt !== undefined && startsAt !== 'now') {
    await assertCodesOutlast(ctx, dropId, await readStart(ctx, startsAt, seller))
  }
}

/**
 * Whether the drop has not started yet, not even for followers, and none of its units is held or sold. The query uses
 * clock_timestamp() and not now(), the time at which the transaction began, because the transaction may have waited for
 * the row's lock until after the start.
 */
export async function isBeforeStart(tx: Context, { id }: Pick<LockedDrop, 'id'>): Promise<boolean> {
  const [row] = await tx.db.$queryRaw<{ isBefore: boolean }[]>`
    SELECT "startedAt" - make_interval(mins => COALESCE("earlyMinutes", 0)) > clock_timestamp() AND NOT ("held" > 0 OR "sold" > 0) AS "isBefore" FROM "Drop" WHERE "id" = ${id}`
  return row?.isBefore ?? false
}

/**
 * Changes the times of the run and returns the new times of the drop. After a change of the start, people who were
 * already reminded of the old start are reminded again.
 */
async function changeTimes(
  tx: Context,
  { drop, seller }: { drop: LockedDrop; seller: LockedSeller },
  fields: EditDropFields,
): Promise<{ startedAt?: Date; endTime?: Date; duration?: number }> {
  const { startsAt, duration: hours, earlyMinutes = drop.earlyMinutes } = fields
  if (startsAt === undefined) assertEarlyAhead(drop.startedAt, earlyMinutes, drop.now)
  if (startsAt === undefined && hours === undefined) return {}
  const duration = hours ?? drop.duration
  const typed = startsAt === 'now' ? undefined : startsAt
  const startedAt = startsAt === undefined ? drop.startedAt : await readStart(tx, typed, seller, earlyMinutes)
  const endTime = new Date(startedAt.getTime() + duration * HOUR_MS)
  const { id: dropId, run } = drop
  await tx.db.dropRun.updateMany({ where: { dropId, run }, data: { startedAt, endTime } })
  await noteRunChange(tx, drop, {
    reason: 'rescheduled',
    start: [drop.startedAt, startedAt],
    end: [drop.endTime, endTime],
  })
  if (startedAt.getTime() !== drop.startedAt.getTime()) {
    await recallStartMails(tx, [dropId])
    await forgetStartMails(tx, dropId)
  }
  return { startedAt, endTime, duration }
}

/**
 * Removes the pictures that are not listed and puts the others in the listed order. Returns the keys of the removed
 * files.
 */
async function keepImages(tx: Context, dropId: number, kept: string[] | undefined): Promise<string[]> {
  if (kept === undefined) return []
  const rows = await tx.db.dropImage.findMany({ where: { dropId }, orderBy: { position: 'asc' } })
  const named = kept.map((src) => rows.find((row) => toImageView(row).src === src))
  const stay = [...new Set(named)].filter((row) => row !== undefined)
  if (stay.length !== kept.length) throw dropError('IMAGE_UNKNOWN')
  const gone = rows.filter((row) => !stay.includes(row))
  // All rows are deleted and written again, because two pictures may not have the same position even for a moment.
  await tx.db.dropImage.deleteMany({ where: { dropId } })
  await tx.db.dropImage.createMany({ data: stay.map((row, position) => ({ ...row, position })) })
  return gone.flatMap(photoFileKeys)
}
