import { writeValues } from '@/lib/drops/option-rules'
import type { EditDropFields, EditDropTexts } from '@/lib/drops/schema'
import { toClockField } from '@/lib/drops/start-rules'
import type { SellerDropView } from '@/lib/drops/view'
import { toDecimal } from '@/lib/kernel/money'

/** What a scheduled drop is like, as its form holds it. */
export function earlyValues(drop: SellerDropView, timezone: string) {
  return {
    title: drop.title,
    price: drop.price,
    productType: drop.productType,
    digitalFileUrl: '',
    duration: String(drop.duration),
    startsAt: toClockField(new Date(drop.startedAt), timezone),
    keepImages: drop.images.map(({ src }) => src),
  }
}

/**
 * What changed of the things that are fixed once the drop has started.
 * @param states.opened the drop as it was when the form was opened: what was not typed over is not sent, so that it does not
 *   undo a change that was made elsewhere meanwhile.
 * @param states.current the drop as it is now: photos that were added elsewhere stay.
 */
export function earlyChangesOf(
  { opened, current }: { opened: SellerDropView; current: SellerDropView },
  typed: EditDropFields,
  timezone: string,
): EditDropTexts {
  const before = earlyValues(opened, timezone)
  const { title, price, productType, digitalFileUrl, duration, startsAt, keepImages = before.keepImages } = typed
  const removed = before.keepImages.filter((src) => !keepImages.includes(src))
  const kept = current.images.map(({ src }) => src).filter((src) => !removed.includes(src))
  return {
    ...(title === opened.title ? {} : { title }),
    ...(price === undefined || price === opened.priceCents ? {} : { price: toDecimal(price) }),
    ...(productType === opened.productType ? {} : { productType }),
    ...(productType === 'digital' && digitalFileUrl ? { digitalFileUrl } : {}),
    ...(duration === opened.duration ? {} : { duration }),
    ...(startsAt === before.startsAt ? {} : { startsAt }),
    ...(removed.length === 0 ? {} : { keepImages: kept }),
  }
}

/** What changed of the things that may change while a drop runs, compared with the drop as it was when the form was opened. */
export function changesOf(opened: SellerDropView, typed: EditDropFields): EditDropTexts {
  const { quantity, options, description, maxPerBuyer } = typed
  return {
    ...(quantity === undefined || quantity === opened.quantity ? {} : { quantity }),
    ...(options && writeValues(options) !== writeValues(opened.values) ? { options } : {}),
    ...(description === opened.description ? {} : { description }),
    ...((maxPerBuyer ?? null) === opened.maxPerBuyer ? {} : { maxPerBuyer }),
  }
}
