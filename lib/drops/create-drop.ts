import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { Photo } from '@/lib/infra/images'
import type { UserActor } from '@/lib/kernel/actor'
import type { AppError } from '@/lib/kernel/app-error'
import { newUniqueId } from '@/lib/kernel/id'
import { productTypes } from '@/lib/kernel/product-type'
import { HOUR_MS } from '@/lib/kernel/time'
import { type Hold, scanDrop } from '@/lib/moderation/scan-drop'
import { planRules } from '@/lib/plans/rules'
import { platformError } from '@/lib/platform/messages'
import { claimObjects, discardObjects } from './claim-objects'
import { assertFreeSlot, lockSeller } from './guards'
import { holdDrop } from './hold-drop'
import { dropError, dropTexts, missingText, planHint } from './messages'
import { sumOfUnits } from './option-rules'
import { getSellerDrop } from './queries'
import { readStart } from './read-start'
import type { CreateDropFields } from './schema'
import { type ReceivedFile, type StoredFile, storeFile } from './store-file'
import { photoKeys, storePhotos } from './store-photos'
import type { DropRow } from './view'

export type CreateDropInput = {
  fields: CreateDropFields
  images: Pick<ReceivedFile, 'field' | 'fileName' | 'path'>[]
  digitalFile?: ReceivedFile
}

/**
 * Publishes a drop. The plan's limits are checked before any picture is processed, and again under a lock on the
 * seller's row when the drop is written, so that two tabs cannot both take the last slot
 * (docs/product.md#active-drop-limit). A form sent again under its key is answered with the drop that it already made
 * (ADR 0037).
 * @throws SUSPENDED, PLAN_REQUIRED, SLUG_PRO_ONLY, SLUG_TAKEN, LIMIT_REACHED, MISSING_FIELDS, LINK_OR_FILE,
 *   FILE_NOT_DIGITAL, NO_IMAGES, PROHIBITED, BAD_IMAGE, BAD_FILE, START_INVALID, START_SKIPPED, START_PAST, START_TOO_FAR
 */
export async function createDrop(ctx: Context<UserActor>, input: CreateDropInput): Promise<DropRow> {
  assertPlanAllows(ctx.actor, input.fields)
  assertComplete(input)
  const { earlierId } = await transaction(ctx, (tx) => enterPublishing(tx, ctx.actor, input.fields))
  if (earlierId !== null) return getSellerDrop(ctx, earlierId, ctx.actor.userId)
  const hold = await scanDrop(ctx, publicTexts(input))
  const stored: Stored = { photos: await storePhotos(ctx, input.images) }
  try {
    if (input.digitalFile) stored.file = await storeFile(ctx, input.digitalFile)
    const { dropId, isRepeat } = await insertDrop(ctx, input.fields, stored, hold)
    if (isRepeat) await discardObjects(ctx, discardable(input, stored))
    return await getSellerDrop(ctx, dropId, ctx.actor.userId)
  } catch (error) {
    await discardObjects(ctx, discardable(input, stored))
    if (uniqueViolation(error)?.includes('customSlug')) throw dropError('SLUG_TAKEN', { cause: error })
    throw error
  }
}

/**
 * Decides before a file is received whether the seller may publish the drop: plan and active drops, by the fields that
 * were sent before the files. A form that already made a drop is let through.
 * @throws SUSPENDED, PLAN_REQUIRED, SLUG_PRO_ONLY, LIMIT_REACHED, START_INVALID, START_SKIPPED, START_PAST, START_TOO_FAR
 */
export async function assertMayPublish(ctx: Context<UserActor>, sent: Record<string, unknown>): Promise<void> {
  const productType = productTypes.find((type) => type === sent.productType) ?? 'physical'
  const text = (name: string) => (typeof sent[name] === 'string' && sent[name].trim()) || undefined
  // Fields of the wrong shape are refused with the others, once the form is read.
  const customSlug = text('customSlug')?.match(/^[a-z0-9-]{1,50}$/i)?.[0]
  const early = { productType, customSlug, startsAt: text('startsAt'), idempotencyKey: text('idempotencyKey') }
  await transaction(ctx, (tx) => enterPublishing(tx, ctx.actor, early))
}

/** The error for a digital file when the fields sent before it do not say that the drop is digital; null when they do. */
export function refuseDigitalFile(sent: Record<string, unknown>): AppError | null {
  return sent.productType === 'digital' ? null : dropError('FILE_NOT_DIGITAL')
}

type Stored = { photos: Photo[]; file?: StoredFile }

function storedKeys({ photos, file }: Stored): string[] {
  return file ? [...photoKeys(photos), file.storageKey] : photoKeys(photos)
}

/**
 * Files that the browser uploaded directly to storage are kept for another try, and the sweep removes them if there is
 * none.
 */
function discardable({ digitalFile }: CreateDropInput, stored: Stored): string[] {
  return digitalFile?.storedAs ? photoKeys(stored.photos) : storedKeys(stored)
}

type PlanFields = Pick<CreateDropFields, 'productType' | 'customSlug' | 'startsAt' | 'idempotencyKey'>

function assertPlanAllows(seller: Pick<UserActor, 'plan' | 'isAdmin'>, fields: PlanFields): void {
  const rules = planRules(seller)
  if (!rules.productTypes.includes(fields.productType)) {
    throw dropError('PLAN_REQUIRED', { text: planHint(fields.productType), field: 'productType' })
  }
  if (fields.customSlug && !rules.hasCustomLink) throw dropError('SLUG_PRO_ONLY')
}

function assertComplete(input: CreateDropInput): void {
  const { productType, digitalFileUrl } = input.fields
  if (input.digitalFile && productType !== 'digital') throw dropError('FILE_NOT_DIGITAL')
  if (input.digitalFile && digitalFileUrl) throw dropError('LINK_OR_FILE')
  const hasImages = input.images.length > 0
  if (productType === 'digital' && !digitalFileUrl && !input.digitalFile) {
    const missing = hasImages ? (['digitalFile'] as const) : (['images', 'digitalFile'] as const)
    throw dropError('MISSING_FIELDS', { text: `${dropTexts.missingTitle}. ${missingText(missing)}`, field: missing[0] })
  }
  if (!hasImages) throw dropError('NO_IMAGES')
}

/**
 * Locks the seller's row and reads plan, suspension and running drops again, because they may have changed during a
 * long upload. Returns when the drop starts, or the id of the drop that this form already made, which needs no second slot.
 * @throws SUSPENDED, PLAN_REQUIRED, SLUG_PRO_ONLY, LIMIT_REACHED, START_INVALID, START_SKIPPED, START_PAST, START_TOO_FAR
 */
async function enterPublishing(
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
  return { earlierId: null, startedAt: await readStart(tx, fields.startsAt, seller.timezone) }
}

/** All texts of a drop that the scanner checks, by the name of their field, including the file's name. */
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
  hold: Hold | null,
): Promise<{ dropId: number; isRepeat: boolean }> {
  return transaction(ctx, async (tx) => {
    const entry = await enterPublishing(tx, ctx.actor, fields)
    if (entry.earlierId !== null) return { dropId: entry.earlierId, isRepeat: true }
    const { startedAt } = entry
    const endTime = new Date(startedAt.getTime() + fields.duration * HOUR_MS)
    const timing = { startedAt, endTime }
    const { quantity, option } = stockOf(fields)
    const drop = await tx.db.drop.create({
      data: {
        uniqueId: newUniqueId(),
        customSlug: fields.customSlug ?? null,
        creationKey: fields.idempotencyKey ?? null,
        userId: ctx.actor.userId,
        title: fields.title,
        description: fields.description,
        productType: fields.productType,
        priceCents: fields.price,
        quantity,
        ...option,
        maxPerBuyer: fields.maxPerBuyer ?? null,
        duration: fields.duration,
        shippingNote: fields.shippingNote,
        ...timing,
        runs: { create: { run: 1, quantity, ...timing } },
        images: { create: stored.photos.map(({ files: _files, ...photo }, position) => ({ ...photo, position })) },
        ...digitalFile(fields, stored.file),
      },
    })
    if (hold) await holdDrop(tx, drop.id, 'create', hold)
    await claimObjects(tx, storedKeys(stored), ctx.clock.now())
    return { dropId: drop.id, isRepeat: false }
  })
}

/** The units of a new drop: as many as its form says, or the sum of the values of its option. */
function stockOf({ quantity, optionName, options }: CreateDropFields) {
  if (optionName === undefined || options === undefined) return { quantity, option: {} }
  const values = options.map((value, position) => ({ ...value, position }))
  return { quantity: sumOfUnits(options), option: { optionName, values: { create: values } } }
}

/** What buyers receive: the file or the link, and the name they see. */
function digitalFile(fields: CreateDropFields, file: StoredFile | undefined) {
  if (fields.productType !== 'digital') return {}
  if (file) return { digitalFile: { create: { source: 'upload' as const, ...file } } }
  return { digitalFile: { create: { source: 'link' as const, url: fields.digitalFileUrl, fileName: fields.title } } }
}
