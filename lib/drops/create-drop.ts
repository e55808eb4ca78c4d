import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { Photo } from '@/lib/infra/images'
import type { UserActor } from '@/lib/kernel/actor'
import type { AppError } from '@/lib/kernel/app-error'
import { newUniqueId } from '@/lib/kernel/id'
import { productTypes } from '@/lib/kernel/product-type'
import { HOUR_MS } from '@/lib/kernel/time'
import { type ReviewReason, scanDrop } from '@/lib/moderation/scan-drop'
import { planRules } from '@/lib/plans/rules'
import { platformError } from '@/lib/platform/messages'
import { assertRoomForFiles } from '@/lib/uploads/assert-room-for-files'
import { addKeys } from './keys/add-keys'
import { alikeValues } from './options/alike-values'
import { chooseEarly } from './start/change-early'
import { claimObjects, discardObjects } from '@/lib/uploads/claim-objects'
import { assertFreeSlot, lockSeller } from './guards'
import { sendToReview } from './send-to-review'
import { dropError, dropTexts, missingText, planHint, formUsedText } from './messages'
import { sumOfUnits, withStock } from './options/option-rules'
import { getSellerDrop } from './queries'
import { readStart } from './start/read-start'
import type { CreateDropFields } from './schema'
import { type ReceivedFile, type StoredFile, storeFile } from './files/store-file'
import { photoKeys, storePhotos } from './files/store-photos'
import type { DropRow } from './view'

export type CreateDropInput = {
  fields: CreateDropFields
  images: Pick<ReceivedFile, 'field' | 'fileName' | 'path'>[]
  digitalFile?: ReceivedFile
}

/**
 * Publishes a drop. The plan's limits are checked before any picture is processed. They are checked again under a lock
 * on the seller's row when the drop is written, so that two tabs cannot both take the last slot
 * (docs/product.md#active-drop-limit). When a form is sent again with the same idempotency key, the drop that it
 * already created is returned (ADR 0037).
 * @throws SUSPENDED, PLAN_REQUIRED, SLUG_PRO_ONLY, SLUG_TAKEN, LIMIT_REACHED, FORM_USED, MISSING_FIELDS, LINK_OR_FILE,
 *   FILE_NOT_DIGITAL, KEYS_REFUSED, NO_IMAGES, PROHIBITED, BAD_IMAGE, BAD_FILE, START_INVALID, START_SKIPPED,
 *   START_PAST, START_TOO_FAR, START_AFTER_PLAN, and the errors of change-early.ts
 */
export async function createDrop(ctx: Context<UserActor>, input: CreateDropInput): Promise<DropRow> {
  assertPlanAllows(ctx.actor, input.fields)
  assertComplete(input)
  const { earlierId } = await transaction(ctx, (tx) => lockForPublishing(tx, ctx.actor, input.fields))
  if (earlierId !== null) await assertSameForm(ctx, earlierId, input.fields)
  if (earlierId !== null) return getSellerDrop(ctx, earlierId, ctx.actor.userId)
  const review = await scanDrop(ctx, publicTexts(input))
  const stored: Stored = { photos: await storePhotos(ctx, input.images) }
  try {
    if (input.digitalFile) stored.file = await storeFile(ctx, input.digitalFile)
    const { dropId, isRepeat } = await insertDrop(ctx, input.fields, stored, review)
    if (isRepeat) await discardObjects(ctx, discardable(input, stored))
    return await getSellerDrop(ctx, dropId, ctx.actor.userId)
  } catch (error) {
    await discardObjects(ctx, discardable(input, stored))
    if (uniqueViolation(error)?.includes('customSlug')) throw dropError('SLUG_TAKEN', { cause: error })
    throw alikeValues(error) ?? error
  }
}

/**
 * Checks, before any file is received, whether the seller may publish the drop. The plan and the number of active drops
 * are checked with the fields that were sent before the files. A form that already created a drop passes.
 * @throws SUSPENDED, PLAN_REQUIRED, SLUG_PRO_ONLY, LIMIT_REACHED, STORAGE_FULL, START_INVALID, START_SKIPPED,
 *   START_PAST, START_TOO_FAR, START_AFTER_PLAN
 */
export async function assertMayPublish(ctx: Context<UserActor>, sent: Record<string, unknown>): Promise<void> {
  const productType = productTypes.find((type) => type === sent.productType) ?? 'physical'
  const text = (name: string) => (typeof sent[name] === 'string' && sent[name].trim()) || undefined
  // Malformed fields are ignored here, because they are refused together with the others once the whole form is read.
  const customSlug = text('customSlug')?.match(/^[a-z0-9-]{1,50}$/i)?.[0]
  const fields = { productType, customSlug, startsAt: text('startsAt'), idempotencyKey: text('idempotencyKey') }
  await assertRoomForFiles(ctx)
  await transaction(ctx, (tx) => lockForPublishing(tx, ctx.actor, fields))
}

/**
 * Returns the error for a digital file if the fields sent before the file say that the drop is of another type. Returns
 * null if they say nothing of the type, because a form may send its files first. createDrop checks the type again.
 */
export function refuseDigitalFile(sent: Record<string, unknown>): AppError | null {
  const isOther = sent.productType !== undefined && sent.productType !== 'digital'
  return isOther ? dropError('FILE_NOT_DIGITAL') : null
}

type Stored = { photos: Photo[]; file?: StoredFile }

function storedKeys({ photos, file }: Stored): string[] {
  return file ? [...photoKeys(photos), file.storageKey] : photoKeys(photos)
}

/**
 * Returns the keys of the files to delete after an attempt that created no drop. A digital file that the browser
 * uploaded directly to the storage is kept for another attempt, and the sweep removes it if there is none.
 */
function discardable({ digitalFile }: CreateDropInput, stored: Stored): string[] {
  return digitalFile?.storedAs ? photoKeys(stored.photos) : storedKeys(stored)
}

type PlanFields = Pick<CreateDropFields, 'productType' | 'customSlug' | 'startsAt' | 'earlyMinutes' | 'idempotencyKey'>

function assertPlanAllows(seller: Pick<UserActor, 'plan' | 'isAdmin'>, fields: PlanFields): void {
  const rules = planRules(seller)
  if (!rules.productTypes.includes(fields.productType)) {
    throw dropError('PLAN_REQUIRED', { text: planHint(fields.productType), field: 'productType' })
  }
  if (fields.customSlug && !rules.hasCustomLink) throw dropError('SLUG_PRO_ONLY')
}

function assertComplete(input: CreateDropInput): void {
  const { productType, digitalFileUrl, keys } = input.fields
  if (input.digitalFile && productType !== 'digital') throw dropError('FILE_NOT_DIGITAL')
  if (input.digitalFile && digitalFileUrl) throw dropError('LINK_OR_FILE')
  const hasImages = input.images.length > 0
  if (productType === 'digital' && !digitalFileUrl && !input.digitalFile && !keys) {
    const missing = hasImages ? (['digitalFile'] as const) : (['images', 'digitalFile'] as const)
    throw dropError('MISSING_FIELDS', { text: `${dropTexts.missingTitle}. ${missingText(missing)}`, field: missing[0] })
  }
  if (!hasImages) throw dropError('NO_IMAGES')
  chooseEarly(input.fields, stockOf(input.fields).quantity)
}

/**
 * Locks the seller's row and reads plan, suspension and running drops again, because they may have changed during a
 * long upload. Returns when the drop starts. If this form has already created a drop, returns the id of that drop,
 * which needs no second slot.
 * @throws SUSPENDED, PLAN_REQUIRED, SLUG_PRO_ONLY, LIMIT_REACHED, START_INVALID, START_SKIPPED, START_PAST,
 *   START_TOO_FAR, START_AFTER_PLAN
 */
async function lockForPublishing(
  tx: Context,
  actor: UserActor,
  fields: PlanFields,
): Promise<{ earlierId: number } | { earlierId: null; startedAt: Date }> {
  const seller = await lockSeller(tx, actor.userId)
  if (!seller || seller.isSuspended) throw platformError('SUSPENDED')
  if (fields.idempotencyKey) {
    const key = { userId: seller.id, creationKey: fields.idempotencyKey }
    const earlier = await tx.db.drop.findUnique({ where: { userId_creationKey: key }, select: { id: true } })
    if (earlier) return { earlierId: earlier.id }
  }
  assertPlanAllows(seller, fields)
  await assertFreeSlot(tx, seller)
  return { earlierId: null, startedAt: await readStart(tx, fields.startsAt, seller, fields.earlyMinutes) }
}

/**
 * Refuses a form whose idempotency key belongs to a drop with other content. Two tabs restore the same draft with the
 * same key. Without this check, the second tab would report the first tab's drop as its own, and a seller who corrected
 * the stock or the start after a lost response would believe that the correction is live.
 * @throws FORM_USED
 */
async function assertSameForm({ db }: Context, dropId: number, fields: CreateDropFields): Promise<void> {
  const { title, creationHash } = await db.drop.findUniqueOrThrow({
    where: { id: dropId },
    select: { title: true, creationHash: true },
  })
  // A drop from before the hash was stored has none.
  if (creationHash !== null && creationHash !== hashOf(fields))
    throw dropError('FORM_USED', { text: formUsedText(title) })
}

/** Returns a hash of everything that the form says, except the files. The schema gives the fields in a fixed order. */
function hashOf({ idempotencyKey: _idempotencyKey, ...fields }: CreateDropFields): string {
  return sha256(JSON.stringify(fields))
}

/**
 * Returns all texts of a drop that the scanner checks, by the names of their fields. File names are included. Keys are
 * left out, because the texts may be sent to an outside moderator.
 */
function publicTexts({ fields, images, digitalFile }: CreateDropInput): Record<string, string | undefined> {
  const { title, description, shippingNote, customSlug, digitalFileUrl, optionName, options } = fields
  const names = Object.fromEntries(images.map((image) => [image.field, image.fileName]))
  const values = options?.map(({ value }) => value).join(', ')
  const texts = { title, description, shippingNote, customSlug, digitalFileUrl, optionName, options: values }
  return { ...texts, digitalFile: digitalFile?.fileName, ...names }
}

async function insertDrop(
  ctx: Context<UserActor>,
  fields: CreateDropFields,
  stored: Stored,
  review: ReviewReason | null,
): Promise<{ dropId: number; isRepeat: boolean }> {
  return transaction(ctx, async (tx) => {
    const entry = await lockForPublishing(tx, ctx.actor, fields)
    if (entry.earlierId !== null) await assertSameForm(tx, entry.earlierId, fields)
    if (entry.earlierId !== null) return { dropId: entry.earlierId, isRepeat: true }
    const { startedAt } = entry
    const endTime = new Date(startedAt.getTime() + fields.duration * HOUR_MS)
    const timing = { startedAt, endTime }
    const { quantity, option } = stockOf(fields)
    const early = chooseEarly(fields, quantity)
    const drop = await tx.db.drop.create({
      data: {
        uniqueId: newUniqueId(),
        customSlug: fields.customSlug ?? null,
        creationKey: fields.idempotencyKey ?? null,
        creationHash: fields.idempotencyKey === undefined ? null : hashOf(fields),
        userId: ctx.actor.userId,
        title: fields.title,
        description: fields.description,
        productType: fields.productType,
        priceCents: fields.price,
        quantity,
        ...option,
        ...early,
        maxPerBuyer: fields.maxPerBuyer ?? null,
        isNumbered: fields.isNumbered,
        isOpenEdition: fields.isOpenEdition,
        keysGiven: fields.keys ? 0 : null,
        duration: fields.duration,
        shippingNote: fields.shippingNote,
        ...shippingOf(fields),
        ...timing,
        runs: { create: { run: 1, quantity, earlyMinutes: early.earlyMinutes, ...timing } },
        images: { create: stored.photos.map(({ files: _files, ...photo }, position) => ({ ...photo, position })) },
        ...digitalFile(fields, stored.file),
      },
    })
    if (fields.keys) await addKeys(tx, drop.id, fields.keys)
    if (review) await sendToReview(tx, drop.id, 'create', review)
    await claimObjects(tx, storedKeys(stored), ctx.clock.now())
    return { dropId: drop.id, isRepeat: false }
  })
}

/**
 * Returns the units of a new drop: the quantity in the form, the number of its keys, or the sum of its option's values.
 * The quantity of an open edition is its cap, which is also the stock of each of its values.
 */
function stockOf({ quantity, optionName, options, keys, isOpenEdition }: CreateDropFields) {
  if (keys) return { quantity: keys.length, option: {} }
  if (optionName === undefined || options === undefined) return { quantity, option: {} }
  const stocked = withStock(options, isOpenEdition ? quantity : null)
  const values = stocked.map((value, position) => ({ ...value, position }))
  return {
    quantity: isOpenEdition ? quantity : sumOfUnits(stocked),
    option: { optionName, values: { create: values } },
  }
}

/**
 * Returns the condition of the goods, and from where, how soon and at which surcharges they are sent. Empty unless the
 * product is shipped.
 */
function shippingOf({ productType, condition, shipsFrom, shipsWithin, shippingZones }: CreateDropFields) {
  if (productType !== 'physical') return {}
  const zones = shippingZones ? { shippingZones } : {}
  return { condition, shipsFrom: shipsFrom ?? null, shipsWithin: shipsWithin ?? null, ...zones }
}

/** Returns what buyers receive: the file or the link, and the name that they see. */
function digitalFile(fields: CreateDropFields, file: StoredFile | undefined) {
  if (fields.productType !== 'digital') return {}
  if (file) return { digitalFile: { create: { source: 'upload' as const, ...file } } }
  if (!fields.digitalFileUrl) return {}
  return { digitalFile: { create: { source: 'link' as const, url: fields.digitalFileUrl, fileName: fields.title } } }
}
