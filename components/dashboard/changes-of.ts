import { proposedEarlyUnits } from '@/lib/drops/start/early-rules'
import { namesOf, writeValues } from '@/lib/drops/options/option-rules'
import type { EditDropFields, EditDropTexts } from '@/lib/drops/schema'
import { toClockField } from '@/lib/drops/start/start-rules'
import { writeZones } from '@/lib/drops/delivery/zone-rules'
import type { SellerDropView } from '@/lib/drops/view'
import type { ORIGIN_COUNTRIES } from '@/lib/kernel/country'
import { toDecimal } from '@/lib/kernel/money'

/** The country that the form shows, or an empty string. The server checks that a new country is in its list. */
const originOf = ({ shipsFrom }: SellerDropView) => (shipsFrom ?? '') as '' | (typeof ORIGIN_COUNTRIES)[number]

/** The zones as the form keeps them. */
const zonesOf = ({ shippingZones = [] }: SellerDropView) =>
  writeZones(shippingZones.map(({ surchargeCents: cents, countries }) => ({ cents, countries })))

/** Returns the fields of a scheduled drop as the values of its edit form. */
export function beforeStartValues(drop: SellerDropView, timezone: string) {
  return {
    title: drop.title,
    price: drop.price,
    productType: drop.productType,
    condition: drop.condition ?? ('new' as const),
    shipsFrom: originOf(drop),
    shipsWithin: String(drop.shipsWithin ?? ''),
    shippingZones: zonesOf(drop),
    shippingNote: drop.shippingNote,
    duration: String(drop.duration),
    startsAt: toClockField(new Date(drop.startedAt), timezone),
    earlyMinutes: String(drop.early?.minutes ?? ''),
    earlyUnits: String(drop.early?.units ?? proposedEarlyUnits(drop.quantity)),
    keepImages: drop.images.map(({ src }) => src),
  }
}

/**
 * Returns the changes to fields that can be edited only until the drop starts.
 * @param states.opened the drop as it was when the form was opened. A field is sent only if the seller changed it, so
 *   that the edit does not undo a change that was made elsewhere.
 * @param states.current the drop as it is now, so that photos that were added elsewhere are kept.
 */
export function beforeStartChangesOf(
  { opened, current }: { opened: SellerDropView; current: SellerDropView },
  typed: EditDropFields,
  timezone: string,
): EditDropTexts {
  const before = beforeStartValues(opened, timezone)
  const { title, price, productType, duration, startsAt, keepImages = before.keepImages } = typed
  const { condition, shipsFrom, shipsWithin, shippingNote, earlyUnits } = typed
  const earlyMinutes = typed.earlyMinutes || null
  const shippingZones = writeZones(typed.shippingZones ?? [])
  const isShipped = productType === 'physical'
  // Photos that were added elsewhere stay, after those that the seller has seen.
  const sources = current.images.map(({ src }) => src)
  const kept = keepImages.filter((src) => sources.includes(src))
  const others = sources.filter((src) => !before.keepImages.includes(src))
  const isSame = keepImages.join('\n') === before.keepImages.join('\n')
  return {
    ...(title === opened.title ? {} : { title }),
    ...(price === undefined || price === opened.priceCents ? {} : { price: toDecimal(price) }),
    ...(productType === opened.productType ? {} : { productType }),
    ...(isShipped && condition !== before.condition ? { condition } : {}),
    ...(isShipped && (shipsFrom || null) !== opened.shipsFrom ? { shipsFrom: shipsFrom || null } : {}),
    ...(isShipped && (shipsWithin || null) !== opened.shipsWithin ? { shipsWithin: shipsWithin || null } : {}),
    ...(isShipped && shippingZones !== before.shippingZones ? { shippingZones } : {}),
    ...(isShipped && shippingNote !== opened.shippingNote ? { shippingNote } : {}),
    ...(duration === opened.duration ? {} : { duration }),
    ...(startsAt === before.startsAt ? {} : { startsAt }),
    ...(earlyMinutes === (opened.early?.minutes ?? null) ? {} : { earlyMinutes }),
    ...(earlyMinutes === null || earlyUnits === opened.early?.units ? {} : { earlyUnits }),
    ...(isSame ? {} : { keepImages: [...kept, ...others] }),
  }
}

/** The name that the form proposes for the option of a drop that has none. */
const PROPOSED_OPTION = 'Size'

/** Returns the choices of a drop as they are typed. Those of an open edition have no units. */
const typedValues = ({ values, isOpenEdition }: SellerDropView) => writeValues(isOpenEdition ? namesOf(values) : values)

/** Returns a drop's units, choices or keys as the values of its edit form. */
export function stockValues(drop: SellerDropView, isScheduled: boolean) {
  if (drop.keys) return { keys: '' }
  const options = typedValues(drop)
  const quantity = String(drop.quantity)
  if (isScheduled) return { quantity, optionName: drop.option?.name ?? PROPOSED_OPTION, options }
  if (drop.isOpenEdition) return drop.option ? { quantity, options } : { quantity }
  return drop.option ? { options } : { quantity }
}

/**
 * Returns the changes to units and choices. A drop without typed choices has a quantity, and its option is removed. An
 * open edition has a cap besides its choices.
 */
function stockChangesOf(opened: SellerDropView, { quantity, optionName, options }: EditDropFields): EditDropTexts {
  if (options) {
    const isNewCap = opened.isOpenEdition && quantity !== undefined && quantity !== opened.quantity
    return {
      ...(isNewCap ? { quantity } : {}),
      ...(writeValues(options) === typedValues(opened) ? {} : { options }),
      ...(optionName === undefined || optionName === opened.option?.name ? {} : { optionName }),
    }
  }
  const isRemoved = opened.option !== undefined && optionName !== undefined
  return {
    ...(quantity === undefined || (quantity === opened.quantity && !isRemoved) ? {} : { quantity }),
    ...(isRemoved ? { optionName: '' } : {}),
  }
}

/**
 * Returns the changes to fields that can also be edited while a drop runs, and to units and choices, compared with the
 * drop as it was when the form was opened.
 */
export function changesOf(opened: SellerDropView, typed: EditDropFields): EditDropTexts {
  const { description, maxPerBuyer, digitalFileUrl, productType = opened.productType } = typed
  const isNewLink = productType === 'digital' && digitalFileUrl && digitalFileUrl !== opened.digitalFileUrl
  return {
    ...stockChangesOf(opened, typed),
    ...(isNewLink ? { digitalFileUrl } : {}),
    ...(description === opened.description ? {} : { description }),
    ...((maxPerBuyer ?? null) === opened.maxPerBuyer ? {} : { maxPerBuyer }),
  }
}
