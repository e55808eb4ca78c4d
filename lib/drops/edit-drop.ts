import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { scanDrop } from '@/lib/moderation/scan-drop'
import { planRules } from '@/lib/plans/rules'
import type { Photo } from '@/lib/infra/images'
import { recallStartMails } from '@/lib/notifications/recall-start-mails'
import { platformError } from '@/lib/platform/messages'
import {
  assertChangeFits,
  changeScheduled,
  hasFixedFields,
  isBeforeStart,
  startedError,
} from './start/change-scheduled'
import { addKeys } from './keys/add-keys'
import { alikeValues } from './options/alike-values'
import { changeEarly } from './start/change-early'
import { earlyOpensAt } from './start/early-rules'
import { changeOption } from './options/change-option'
import { changeValues } from './options/change-values'
import { assertRoomForFiles } from '@/lib/uploads/assert-room-for-files'
import { claimObjects, discardObjects } from '@/lib/uploads/claim-objects'
import { type LockedDrop, lockOwnDrop, lockSeller, readLockedValues } from './guards'
import { sendToReview } from './send-to-review'
import { keyTexts } from './keys/key-messages'
import { dropError, planHint } from './messages'
import { noteRunChange } from './history/note-run-change'
import { capTakenText } from './editions/open-messages'
import { openOptionTexts, optionTexts } from './options/option-messages'
import { type TypedValue, unitsProblem, withStock } from './options/option-rules'
import { getSellerDrop } from './queries'
import { isOver, MAX_IMAGES } from './rules'
import type { EditDropFields } from './schema'
import { type ReceivedFile, type StoredFile, storeFile } from './files/store-file'
import { photoKeys, storePhotos } from './files/store-photos'
import type { DropRow } from './view'

type EditDropInput = {
  dropId: number
  fields: EditDropFields
  images: Pick<ReceivedFile, 'field' | 'fileName' | 'path'>[]
  /** A file that replaces what the buyers of a digital drop get. */
  digitalFile?: ReceivedFile | undefined
}

/**
 * Changes what may change while a drop runs: more units or keys, the limit per buyer, a corrected description, more
 * pictures (docs/product.md#editing-a-live-drop). Until a scheduled drop starts, price, type, pictures and start may
 * change, too (docs/product.md#scheduled-start). The link of a digital drop may change even after the end, and its file
 * until the first sale. New text is scanned like the text of a new drop.
 * @throws NOT_FOUND, ENDED, QUANTITY_LOWER, OPEN_CAP_RAISED, OPEN_CAP_TAKEN, KEYS_REFUSED, OPTIONS_REFUSED,
 *   OPTIONS_FIXED, OPTION_TAKEN, CHANGED_OFTEN, TOO_MANY_IMAGES, NO_IMAGES, BAD_IMAGE, PROHIBITED, REVIEW_WAITS, SUSPENDED,
 *   STORAGE_FULL, LINK_OR_FILE, BAD_FILE, and the errors of changeScheduled() and changeEarly()
 */
export async function editDrop(ctx: Context<UserActor>, edit: EditDropInput): Promise<DropRow> {
  const { dropId, fields, images, digitalFile } = edit
  const sellerId = ctx.actor.userId
  const before = await getSellerDrop(ctx, dropId, sellerId)
  await checkBeforeUpload(ctx, before, edit)
  const files = digitalFile ? [...images, digitalFile] : images
  const names = Object.fromEntries(files.map((file) => [file.field, file.fileName]))
  const review = await scanDrop(ctx, { ...newTexts(before, fields), ...names })
  const photos = await storePhotos(ctx, images)
  let upload: StoredFile | undefined
  try {
    if (digitalFile) upload = await storeFile(ctx, digitalFile)
    const stored = { photos, upload }
    const unused = await transaction(ctx, async (tx) => {
      const unusedKeys = await writeEdit(tx, edit, stored)
      if (review) {
        await sendToReview(tx, dropId, 'edit', review)
        // These emails name a drop whose texts are withheld now, and which may not be sold again.
        await recallStartMails(tx, [dropId])
      }
      return unusedKeys
    })
    await discardObjects(ctx, unused)
  } catch (error) {
    // A file that the browser has sent to the storage is kept for another attempt.
    await discardObjects(ctx, [...photoKeys(photos), ...(upload && !digitalFile?.storedAs ? [upload.storageKey] : [])])
    throw alikeValues(error) ?? error
  }
  return getSellerDrop(ctx, dropId, sellerId)
}

/**
 * Makes the checks that come before any picture is processed. writeEdit() repeats them under the lock.
 * @throws the errors of editDrop(), except those of its files and its texts
 */
async function checkBeforeUpload(
  ctx: Context<UserActor>,
  before: DropRow & { now: Date },
  edit: EditDropInput,
): Promise<void> {
  const { dropId, fields, images, digitalFile } = edit
  const isScheduled = (earlyOpensAt(before) ?? before.startedAt) > before.now
  assertNotOver(before, edit)
  if (hasFixedFields(fields) && !isScheduled) throw startedError(fields, before)
  assertEditable(before, keepsOption(fields, before.option !== null), fields, isScheduled)
  assertRoom(fields.keepImages?.length ?? before.images.length, images.length)
  if (fields.keepImages?.length === 0 && images.length === 0) throw dropError('NO_IMAGES')
  if (hasFixedFields(fields)) {
    const seller = await ctx.db.user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
    await assertChangeFits(ctx, { dropId, seller }, fields)
  }
  if (digitalFile) {
    assertOneDelivery(before, fields)
    await assertMaySendFile(ctx)
  }
}

type StoredFiles = { photos: Photo[]; upload: StoredFile | undefined }

/** Writes an edit and returns the keys of the stored objects that nothing uses anymore. */
async function writeEdit(
  tx: Context<UserActor>,
  edit: EditDropInput,
  { photos, upload }: StoredFiles,
): Promise<string[]> {
  const { dropId, fields } = edit
  const sellerId = tx.actor.userId
  const seller = await lockSeller(tx, sellerId)
  if (!seller || seller.isSuspended) throw platformError('SUSPENDED')
  const drop = await lockOwnDrop(tx, { dropId, sellerId })
  assertNotOver(drop, edit)
  const isUpcoming = await isBeforeStart(tx, drop)
  assertEditable(drop, keepsOption(fields, drop.optionName !== null), fields, isUpcoming)
  const scheduled = await changeScheduled(tx, { drop, seller, upload }, fields)
  const last = await tx.db.dropImage.aggregate({ where: { dropId }, _max: { position: true } })
  const first = (last._max.position ?? -1) + 1
  assertRoom(first, photos.length)
  const { description, maxPerBuyer } = fields
  const isEarlyOpen = !isUpcoming && drop.startedAt > drop.now
  const { quantity, ...stock } = await changeStock(tx, { ...drop, isEarlyOpen }, fields)
  const access = isUpcoming ? changeEarly(drop, fields, { quantity: quantity ?? drop.quantity }) : undefined
  await tx.db.drop.update({
    where: { id: dropId },
    data: { ...scheduled.data, ...access, ...stock, description, quantity, maxPerBuyer, updatedAt: drop.now },
  })
  const { earlyMinutes } = access ?? {}
  await tx.db.dropRun.updateMany({ where: { dropId, run: drop.run }, data: { quantity, earlyMinutes } })
  const rows = photos.map(({ files: _files, ...photo }, at) => ({ ...photo, dropId, position: first + at }))
  await tx.db.dropImage.createMany({ data: rows })
  await claimObjects(tx, [...photoKeys(photos), ...(upload ? [upload.storageKey] : [])], drop.now)
  return scheduled.unused
}

/** Whether the drop has an option after the edit. */
const keepsOption = ({ optionName }: EditDropFields, hasOption: boolean) =>
  optionName === undefined ? hasOption : optionName !== null

/**
 * Changes the option, its values or the quantity, or adds keys, and records the change. Returns the new quantity of the
 * drop and the new name of its option, if they change.
 * @throws KEYS_REFUSED, and the errors of changeOption() and changeValues()
 */
async function changeStock(
  tx: Context,
  drop: LockedDrop & { isEarlyOpen: boolean },
  fields: EditDropFields,
): Promise<{ quantity?: number | undefined; optionName?: string | null }> {
  const { optionName, keys, quantity } = fields
  const options = await stockedValues(tx, drop, fields)
  const hasKeys = drop.keysGiven !== null
  if (keys && !hasKeys) throw dropError('KEYS_REFUSED', { text: keyTexts.noKeys })
  if (quantity !== undefined && hasKeys) {
    throw dropError('KEYS_REFUSED', { text: keyTexts.quantityOfKeys, field: 'quantity' })
  }
  // A drop without an option does not change when its option is removed.
  if (optionName || (optionName === null && drop.optionName !== null)) {
    return changeOption(tx, drop, { optionName, options, quantity })
  }
  if (options) return { quantity: await changeValues(tx, drop, options, drop.isOpenEdition ? quantity : undefined) }
  if (keys) await addKeys(tx, drop.id, keys)
  const units = keys ? drop.quantity + keys.length : quantity
  if (units) await noteRunChange(tx, drop, { reason: 'units', units: [drop.quantity, units] })
  return { quantity: units }
}

/**
 * Returns the values of an edit with their stock. Each value of an open edition has the cap as its stock, so a new cap
 * changes all values, too.
 * @throws OPTIONS_REFUSED for units of an open edition's values, and for missing units of any other drop's
 */
async function stockedValues(
  tx: Context,
  drop: LockedDrop,
  { options, optionName, quantity }: EditDropFields,
): Promise<TypedValue[] | undefined> {
  const problem = options && unitsProblem(options, drop.isOpenEdition)
  if (problem) throw dropError('OPTIONS_REFUSED', { text: problem })
  if (!drop.isOpenEdition) return options && withStock(options, null)
  if (options && drop.optionName === null && !optionName) {
    throw dropError('OPTIONS_REFUSED', { text: openOptionTexts.noOption })
  }
  const isKept = quantity !== undefined && optionName !== null && drop.optionName !== null
  const values = options ?? (isKept ? await readLockedValues(tx, drop.id) : undefined)
  return values && withStock(values, quantity ?? drop.quantity)
}

/** Returns the texts of an edit that the scanner has not seen yet. */
function newTexts(
  before: DropRow,
  { description, optionName, options, title, shippingNote, digitalFileUrl }: EditDropFields,
) {
  const isReworded = description !== undefined && description !== before.description
  const values = options?.map(({ value }) => value).join(', ')
  return {
    ...(isReworded ? { description } : {}),
    optionName: optionName ?? undefined,
    options: values,
    title,
    shippingNote,
    digitalFileUrl,
  }
}

/**
 * Checks whether the seller may send a file for buyers, before it is received and again before it is stored.
 * @throws PLAN_REQUIRED, STORAGE_FULL
 */
export async function assertMaySendFile(ctx: Context<UserActor>): Promise<void> {
  if (!planRules(ctx.actor).productTypes.includes('digital')) {
    throw dropError('PLAN_REQUIRED', { text: planHint('digital'), field: 'digitalFile' })
  }
  await assertRoomForFiles(ctx)
}

/** Refuses a file for the buyers of a drop that stays or becomes of another type, and a link in addition to a file. */
function assertOneDelivery(
  before: DropRow,
  { productType = before.productType, digitalFileUrl }: EditDropFields,
): void {
  if (productType !== 'digital') throw dropError('FILE_NOT_DIGITAL')
  if (digitalFileUrl !== undefined) throw dropError('LINK_OR_FILE')
}

/** After the end only the link of a digital drop may change, so that a link that stopped working can be replaced. */
function assertNotOver(drop: Pick<LockedDrop, 'endTime' | 'archivedAt' | 'now'>, edit: EditDropInput): void {
  const { digitalFileUrl, ...others } = edit.fields
  const isOnlyLink = digitalFileUrl !== undefined && Object.values(others).every((value) => value === undefined)
  if (isOver(drop, drop.now) && !(isOnlyLink && edit.images.length === 0 && !edit.digitalFile)) throw dropError('ENDED')
}

type Editable = Pick<LockedDrop, 'quantity' | 'isOpenEdition' | 'sold' | 'held' | 'purchases'>

function assertEditable(drop: Editable, hasOption: boolean, fields: EditDropFields, isScheduled: boolean): void {
  if (drop.isOpenEdition) return assertCap(drop, fields.quantity)
  if (fields.quantity !== undefined && hasOption) {
    throw dropError('OPTIONS_REFUSED', { text: optionTexts.sumOfValues, field: 'quantity' })
  }
  if (!isScheduled && fields.quantity !== undefined && fields.quantity < drop.quantity) {
    throw dropError('QUANTITY_LOWER')
  }
}

/** The cap of an open edition may be lowered to what is ordered or in checkout, and raised until the first sale. */
function assertCap({ quantity, sold, held, purchases }: Editable, cap = quantity): void {
  if (cap > quantity && purchases > 0) throw dropError('OPEN_CAP_RAISED')
  if (cap < sold + held) throw dropError('OPEN_CAP_TAKEN', { text: capTakenText(sold + held) })
}

function assertRoom(has: number, added: number): void {
  if (has + added > MAX_IMAGES) throw dropError('TOO_MANY_IMAGES')
}
