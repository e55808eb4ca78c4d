/** The units of a drop: all of them, those sold, and those held for buyers who are paying. */
export type Stock = { quantity: number; sold: number; held: number }

/** Returns how many units are neither sold nor in checkout. */
export function freeUnits({ quantity, sold, held }: Stock): number {
  return Math.max(0, quantity - sold - held)
}

/** Returns how many units are not sold, including those in checkout. */
export function unsoldUnits({ quantity, sold }: Pick<Stock, 'quantity' | 'sold'>): number {
  return Math.max(0, quantity - sold)
}

/** How many unsold units of a drop are in checkout, and how many of these one origin (normally a network) has. */
export type CheckoutLoad = {
  /** Units that are not sold, including those in checkout. */
  unsold: number
  /** Units in checkout. */
  unpaid: number
  /**
   * Whether an unpaid checkout, open or ended, began within the last half hour but longer ago than a rush lasts. A rush
   * alone does not explain such a checkout.
   */
  isLasting: boolean
  /** Whether a checkout that kept its units for more than a minute ended unpaid within the last half hour. */
  wasKeptUnpaid: boolean
  /** Units that this origin has in checkout. */
  ownUnpaid: number
  /**
   * Recent checkouts, of any drop, that this origin did not pay. Each counts in proportion to how long it kept its
   * units, and its weight halves every fifteen minutes.
   */
  ownExpired: number
  /** Recent checkouts, of any drop, that this origin paid. */
  ownPaid: number
  /** Checkouts of this origin, of any drop, that wait in line for a session at Stripe. */
  ownWaiting: number
}

/** The highest number of units in one order. */
export const ONE_ORDER = 10
/**
 * An origin may have this part of the unsold units in checkout without a proof of work, at least ONE_ORDER units and at
 * most OWN_MOST. While isCrowdedForLong() is true, every order needs a proof of work.
 */
export const OWN_PART = 0.1
/**
 * The highest number of units of one drop that an origin may have in checkout without a proof of work, however large
 * the drop is.
 */
export const OWN_MOST = 100
/** The checkouts that one origin may have in the line for sessions, over all drops, without a proof of work. */
export const OWN_WAITING = 10
/**
 * An origin needs a proof of work when its expired checkouts, divided by one plus its paid checkouts, reach this
 * number.
 */
export const EXPIRED_WITHOUT_WORK = 0.5

/**
 * A light proof of work, in hashes. A phone needs about a tenth of a second, because it tries half of the hashes on
 * average.
 */
const LIGHT_WORK = 50_000
/** The smallest proof of work on a crowded drop, in hashes. A phone needs about half a second. */
const CONTESTED_WORK = 200_000
/** The largest proof of work, in hashes. A phone needs about half a minute. */
const MAX_WORK = 12_000_000

/**
 * How long a crowd that arrives at the same moment gets its units without a proof of work, in seconds. A longer time
 * would help a bot. A shorter time would burden the buyers of a popular launch (ADR 0050).
 */
export const RUSH_SECONDS = 10
/** How long an unpaid checkout counts as a sign of more than a rush, in seconds. */
export const LASTING_SECONDS = 1800
/** A checkout that ended unpaid makes the last unit contested if it kept its units for longer than this, in seconds. */
export const KEPT_UNPAID_SECONDS = 60

/**
 * Whether more than half of the unsold units are in checkout after all units of an order but the last are taken. The
 * order's own units count, because otherwise a bot could take ten units whenever exactly half are free.
 */
export function isCrowded({ unsold, unpaid }: Pick<CheckoutLoad, 'unsold' | 'unpaid'>, quantity: number): boolean {
  return (unpaid + quantity - 1) * 2 > unsold
}

/**
 * Whether an order takes the last free unit while at most two units are unsold. isCrowded() cannot be true for an order
 * of one unit then.
 */
function takesLast({ unsold, unpaid }: Pick<CheckoutLoad, 'unsold' | 'unpaid'>, quantity: number): boolean {
  return unsold <= 2 && unpaid + quantity >= unsold
}

/**
 * Whether every hold of `quantity` units needs a proof of work: too many units are unpaid, for longer than a rush
 * lasts, or the order takes the last unit and another checkout recently ended unpaid.
 */
export function isCrowdedForLong(
  load: Pick<CheckoutLoad, 'unsold' | 'unpaid' | 'isLasting' | 'wasKeptUnpaid'>,
  quantity: number,
): boolean {
  return (isCrowded(load, quantity) && load.isLasting) || (takesLast(load, quantity) && load.wasKeptUnpaid)
}

/** Returns how many units of a drop one origin may have in checkout without a proof of work. */
export function ownPart({ unsold }: Pick<CheckoutLoad, 'unsold'>): number {
  return Math.max(ONE_ORDER, Math.min(OWN_MOST, Math.floor(unsold * OWN_PART)))
}

/**
 * Returns how many hashes a browser has to try at most before it gets a hold of `quantity` units; 0 for most people.
 * The number grows with the order, the units in checkout, and the open and expired checkouts of the origin (ADR 0050).
 */
export function requiredWork(load: CheckoutLoad, quantity: number): number {
  const { unsold, unpaid, ownUnpaid, ownExpired, ownPaid } = load
  const own = ownPart(load)
  // How far the origin would exceed its part, in multiples of that part.
  const over = Math.min(8, Math.ceil(Math.max(0, ownUnpaid + quantity - own) / own))
  const expired = Math.min(8, ownExpired / (1 + ownPaid))
  const light = Math.min(
    MAX_WORK,
    LIGHT_WORK * (over + (expired >= EXPIRED_WITHOUT_WORK ? Math.ceil(expired) : 0)) + lineWork(load),
  )
  if (!isCrowdedForLong(load, quantity)) return light
  // The work doubles with each tenth of the units that is in checkout beyond one half, and with each expired checkout.
  const beyondHalf = Math.max(0, unpaid / Math.max(1, unsold) - 0.5)
  const steps = Math.min(5, beyondHalf * 10) + Math.min(3, expired)
  return Math.round(Math.min(MAX_WORK, light + CONTESTED_WORK * quantity * 2 ** steps * (1 + over)))
}

/**
 * The work for a further place in the line, in hashes. It grows with the checkouts of the origin in the line and
 * doubles with every hundred of them, so that one network cannot fill the line of all drops.
 */
function lineWork({ ownWaiting }: CheckoutLoad): number {
  const over = Math.ceil(Math.max(0, ownWaiting + 1 - OWN_WAITING) / OWN_WAITING)
  return LIGHT_WORK * over * 2 ** Math.min(8, Math.floor(ownWaiting / 100))
}

/** Returns how long a browser without JavaScript waits instead of doing the proof of work, in seconds. */
export function waitFor(work: number): number {
  return Math.min(120, Math.max(3, Math.ceil(work / 100_000)))
}
