import 'server-only'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { scanDrop } from '@/lib/moderation/scan-drop'
import { platformError } from '@/lib/platform/messages'
import { assertChangeFits, changeScheduled, changesScheduled, isBeforeStart, startedError } from './change-scheduled'
import { changeValues } from './change-values'
import { claimObjects, discardObjects } from './claim-objects'
import { lockOwnDrop, lockSeller } from './guards'
import { holdDrop } from './hold-drop'
import { dropError } from './messages'
import { optionTexts } from './option-messages'
import { getSellerDrop } from './queries'
import { isOver, MAX_IMAGES } from './rules'
import type { EditDropFields } from './schema'
import type { ReceivedFile } from './store-file'
import { photoKeys, storePhotos } from './store-photos'
import type { DropRow } from './view'

type EditDropInput = {
  dropId: number
  fields: EditDropFields
  images: Pick<ReceivedFile, 'field' | 'fileName' | 'path'>[]
}

/**
 * Changes what may change while a drop runs: more units, the limit per buyer, a corrected description, more pictures
 * (docs/product.md#editing-a-live-drop). Until a scheduled drop starts, price, type, pictures and start may change, too
 * (docs/product.md#scheduled-start). New text is scanned like that of a new drop.
 * @throws NOT_FOUND, ENDED, QUANTITY_LOWER, OPTIONS_REFUSED, OPTIONS_FIXED, OPTION_TAKEN, TOO_MANY_IMAGES, NO_IMAGES,
 *   BAD_IMAGE, PROHIBITED, SUSPENDED, and the errors of changeScheduled()
 */
export async function editDrop(ctx: Context<UserActor>, { dropId, fields, images }: EditDropInput): Promise<DropRow> {
  const sellerId = ctx.actor.userId
  const before = await getSellerDrop(ctx, dropId, sellerId)
  // Checked before any picture is processed, and again under the lock.
  const isScheduled = before.startedAt > before.now
  if (changesScheduled(fields) && !isScheduled) {
    throw isOver(before, before.now) ? dropError('ENDED') : startedError(fields)
  }
  assertEditable(before, before.option !== null, fields, isScheduled)
  assertRoom(fields.keepImages?.length ?? before.images.length, images.length)
  if (fields.keepImages?.length === 0 && images.length === 0) throw dropError('NO_IMAGES')
  if (changesScheduled(fields)) {
    const seller = await ctx.db.user.findUniqueOrThrow({ where: { id: sellerId } })
    await assertChangeFits(ctx, { dropId, seller }, fields)
  }
  const names = Object.fromEntries(images.map((image) => [image.field, image.fileName]))
  const hold = await scanDrop(ctx, { ...newTexts(before, fields), ...names })
  const photos = await storePhotos(ctx, images)
  try {
    const unused = await transaction(ctx, async (tx) => {
      const seller = await lockSeller(tx, sellerId)
      if (!seller || seller.isSuspended) throw platformError('SUSPENDED')
      const drop = await lockOwnDrop(tx, { dropId, sellerId })
      assertEditable(drop, drop.optionName !== null, fields, await isBeforeStart(tx, drop))
      const early = await changeScheduled(tx, { drop, seller }, fields)
      const last = await tx.db.dropImage.aggregate({ where: { dropId }, _max: { position: true } })
      const first = (last._max.position ?? -1) + 1
      assertRoom(first, photos.length)
      const { description, maxPerBuyer, options } = fields
      const quantity = options ? await changeValues(tx, drop, options) : fields.quantity
      await tx.db.drop.update({
        where: { id: dropId },
        data: { ...early.data, description, quantity, maxPerBuyer, updatedAt: drop.now },
      })
      if (quantity) await tx.db.dropRun.updateMany({ where: { dropId, run: drop.run }, data: { quantity } })
      const rows = photos.map(({ files: _files, ...photo }, at) => ({ ...photo, dropId, position: first + at }))
      await tx.db.dropImage.createMany({ data: rows })
      await claimObjects(tx, photoKeys(photos), drop.now)
      if (hold) await holdDrop(tx, dropId, 'edit', hold)
      return early.unused
    })
    await discardObjects(ctx, unused)
  } catch (error) {
    await discardObjects(ctx, photoKeys(photos))
    throw error
  }
  return getSellerDrop(ctx, dropId, sellerId)
}

/** The texts of an edit that the scanner has not seen yet. */
function newTexts(before: DropRow, { description, options, title, shippingNote, digitalFileUrl }: EditDropFields) {
  const isReworded = description !== undefined && description !== before.description
  const values = options?.map(({ value }) => value).join(', ')
  return { ...(isReworded ? { description } : {}), options: values, title, shippingNote, digitalFileUrl }
}

type Editable = { endTime: Date; archivedAt: Date | null; quantity: number; now: Date }

function assertEditable(drop: Editable, hasOption: boolean, fields: EditDropFields, isScheduled: boolean): void {
  if (isOver(drop, drop.now)) throw dropError('ENDED')
  if (fields.quantity !== undefined && hasOption) {
    throw dropError('OPTIONS_REFUSED', { text: optionTexts.sumOfValues, field: 'quantity' })
  }
  if (!isScheduled && fields.quantity !== undefined && fields.quantity < drop.quantity) {
    throw dropError('QUANTITY_LOWER')
  }
}

function assertRoom(has: number, added: number): void {
  if (has + added > MAX_IMAGES) throw dropError('TOO_MANY_IMAGES')
}
