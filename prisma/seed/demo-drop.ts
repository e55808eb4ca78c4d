import type { ItemCondition } from '@/lib/kernel/item-condition'
import type { ProductType } from '@/lib/kernel/product-type'

export type DemoSellerKey = 'mira' | 'juno' | 'ines' | 'otto' | 'tomas' | 'lena'

type DemoDropState = 'scheduled' | 'live' | 'almostOver' | 'soldOut' | 'ended' | 'paused' | 'review'

export type DemoDrop = {
  key: string
  seller: DemoSellerKey
  title: string
  description: string
  productType: ProductType
  priceCents: number
  quantity: number
  /**
   * The option that buyers choose from. Over all values, `quantity` and `sold` must add up to those of the drop. In an
   * open edition, each `quantity` is that of the drop.
   */
  option?: { name: string; values: { value: string; quantity: number; sold: number }[] }
  /**
   * Discount codes. The first code was used by the first `uses` buyers. `uses` of any other code is ignored.
   */
  codes?: { code: string; percent: number; maxUses: number; uses?: number }[]
  /** Whether each unit gets a number. */
  isNumbered?: boolean
  /** Whether the edition is open, so that the quantity is its cap. */
  isOpenEdition?: boolean
  /** How many units one buyer may have. */
  maxPerBuyer?: number
  /** How long before the start followers can buy, and how many units. */
  early?: { earlyMinutes: 30 | 60 | 90 | 120; earlyUnits: number }
  /** A run before this one, which ended `endedHoursAgo` hours before seeding. */
  earlierRun?: { quantity: number; sold: number; endedHoursAgo: number }
  /** Units that the seller added, and hours that an outage added to the end, after the run had begun. */
  added?: { units?: number; hours?: number }
  /**
   * How many people wait, for the named value of the option if there is one. After the end they wait for the next run.
   */
  waiting?: { count: number; value?: string }
  /** How many of the newest parcels are not shipped although the promised day is over. */
  lateParcels?: number
  duration: 24 | 48 | 72
  /**
   * The end of the drop in hours after seeding; negative for an ended drop. The launch is `duration` hours earlier, and
   * earlier still by the hours that an outage added.
   */
  endsInHours: number
  customSlug?: string
  /** In which condition the goods are; new without this field. */
  condition?: ItemCondition
  shippingNote: string
  /** What the keys of a digital drop begin with. The drop has one key for each unit. */
  keyPrefix?: string
  /** From where, and within how many days after the end, a parcel is sent. */
  shipsFrom?: string
  shipsWithin?: number
  /** The file that a buyer of a digital drop downloads. */
  digitalFileName?: string
  /** The file names of the pictures, with the main picture first. */
  pictures: string[]
  sold: number
  views: number
  isFeatured?: boolean
  isPinned?: boolean
  state: DemoDropState
}
