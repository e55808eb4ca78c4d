import type { DropFields } from '../support/e2e'

/** A discount code as its seller enters it, without the fields that a code does not need. */
export type CodeFields = { code: string; percent?: number; offCents?: number; maxUses: number; perBuyer?: number }

/** A drop as it is in a storm of up to a minute, with its first discount codes. Longer storms have more units. */
export type DropKind = { fields: DropFields & { quantity: string }; codes?: CodeFields[] }

const ZONES = JSON.stringify([
  { surcharge: '6.00', countries: ['DE', 'FR'] },
  { surcharge: '12.50', countries: ['US'] },
  { surcharge: '0', countries: ['GB'] },
])
/** The one zone of the drop with early access. Its seller changes the surcharge while that is possible. */
export const zonesWith = (surcharge: string) => JSON.stringify([{ surcharge, countries: ['DE', 'FR', 'GB'] }])

/** The values of the option of the drop with an option. */
export const SIZES = ['S', 'M', 'L'] as const

const PROMISE = { shipsFrom: 'DE', shipsWithin: '5' }

/** The drops without further features. The numbers of the steps in plan-storm.ts refer to these. */
const PLAIN: readonly DropKind[] = [
  { fields: { title: 'Hot mug', quantity: '60', price: '24.00' } },
  { fields: { title: 'Hot file', quantity: '14', price: '9.99', productType: 'digital', maxPerBuyer: '2' } },
  { fields: { title: 'Hot hour', quantity: '8', price: '50.00', productType: 'service' } },
  { fields: { title: 'Hot song', quantity: '30', price: '3.00', productType: 'digital' } },
  { fields: { title: 'Hot bowl', quantity: '5', price: '12.00' } },
  { fields: { title: 'Hot plate', quantity: '10', price: '18.50', maxPerBuyer: '3' } },
]

/**
 * The drops with shipping zones, keys, an open edition in sizes, numbers, an option and early access, most of them with
 * discount codes that have few uses.
 */
const FEATURED: readonly DropKind[] = [
  {
    fields: { title: 'Hot parcel', quantity: '30', price: '20.00', shippingZones: ZONES, ...PROMISE },
    codes: [{ code: 'PARCEL', offCents: 505, maxUses: 5 }],
  },
  {
    fields: { title: 'Hot key', quantity: '16', price: '7.00', productType: 'digital', hasKeys: 'true' },
    codes: [{ code: 'KEYS', percent: 15, maxUses: 4, perBuyer: 2 }],
  },
  {
    fields: {
      title: 'Hot print',
      quantity: '12',
      price: '11.00',
      isOpenEdition: 'true',
      optionName: 'Size',
      ...PROMISE,
    },
  },
  {
    fields: { title: 'Hot number', quantity: '20', price: '13.33', isNumbered: 'true', ...PROMISE },
    codes: [{ code: 'NUMBER', percent: 33, maxUses: 3 }],
  },
  {
    fields: { title: 'Hot shirt', quantity: '18', price: '25.00', optionName: 'Size' },
    codes: [{ code: 'SHIRT', offCents: 700, maxUses: 4 }],
  },
  {
    fields: { title: 'Hot early', quantity: '14', price: '15.00', earlyUnits: '6', shippingZones: zonesWith('4.00') },
    codes: [{ code: 'EARLY', percent: 10, maxUses: 3 }],
  },
]

/** All drops of a storm. A seller on the Pro plan has three of them. */
export const DROP_KINDS: readonly DropKind[] = [...PLAIN, ...FEATURED]
export const FIRST_FEATURED = PLAIN.length

const HOUR_MS = 60 * 60_000

/**
 * Returns the fields with which a drop is created, with `times` as many units. Each unit of a drop with keys has a key,
 * and the units of a drop with an option are spread over its values. The values of an open edition share its cap. Early
 * access is still closed.
 */
export function fieldsFor({ fields }: DropKind, times: number): DropFields {
  const { quantity: usual, hasKeys, earlyUnits, ...rest } = fields
  const units = Math.ceil(Number(usual) * times)
  const link: DropFields = { digitalFileUrl: 'https://files.example/song.zip' }
  if (hasKeys) return { ...rest, keys: keyLines(1, units) }
  if (rest.isOpenEdition) return { ...rest, quantity: String(units), options: SIZES.join(', ') }
  if (rest.optionName) {
    const each = Math.ceil(units / SIZES.length)
    return { ...rest, options: SIZES.map((size) => `${size} ${each}`).join(', ') }
  }
  return {
    ...rest,
    quantity: String(units),
    ...(rest.productType === 'digital' ? link : {}),
    ...(earlyUnits ? { earlyUnits: String(Math.ceil(Number(earlyUnits) * times)), earlyMinutes: '60' } : {}),
    ...(earlyUnits ? { startsAt: new Date(Date.now() + 5 * HOUR_MS).toISOString() } : {}),
  }
}

/** Returns this many different keys, one per line, from the number `first` on. */
export const keyLines = (first: number, count: number): string =>
  Array.from({ length: count }, (_, at) => `HOTKEY-${String(first + at).padStart(6, '0')}`).join('\n')
