/** The units of a drop: all of them, those sold, and those held for buyers who are paying. */
export type Stock = { quantity: number; sold: number; held: number }

/** How many units nobody has bought and nobody is paying for. */
export function freeUnits({ quantity, sold, held }: Stock): number {
  return Math.max(0, quantity - sold - held)
}

/** How many units nobody has bought, also when somebody is paying for them at the moment. */
export function unsoldUnits({ quantity, sold }: Pick<Stock, 'quantity' | 'sold'>): number {
  return Math.max(0, quantity - sold)
}

/** How many unsold units of a drop are in checkout, and how many of them one origin (a network address) has. */
export type Pressure = {
  /** Units that nobody has bought, those in checkout included. */
  unsold: number
  /** Units in checkout. */
  unpaid: number
  /** Whether some unit was taken longer ago than a rush lasts and was not paid: then more than a rush is going on. */
  isLasting: boolean
  /** Units that this origin has in checkout. */
  ownUnpaid: number
  /** Checkouts that this origin let expire lately; each counts half as much every fifteen minutes. */
  ownExpired: number
  /** Checkouts that this origin paid lately. */
  ownPaid: number
}

/** The most units in one order. */
export const ONE_ORDER = 10
/** What one origin may have in checkout without work: as much as one order, or this part of the unsold units. */
export const OWN_PART = 0.1
/** From this many expired checkouts on, divided by one plus the paid ones, an origin does work before its next hold. */
export const EXPIRED_WITHOUT_WORK = 0.5

/** About a tenth of a second on a phone: half of the hashes are tried on average. */
const LIGHT_WORK = 50_000
/** About a second on a phone. */
const CONTESTED_WORK = 200_000
/** The most work ever asked for: half a minute on a phone. */
const MOST_WORK = 12_000_000

/**
 * How long a crowd that comes at once gets its units without work, in seconds. Longer would give a machine more time; shorter
 * would make buyers work whose launch is merely popular (ADR 0050).
 */
export const RUSH_SECONDS = 10
/** For how long an unpaid checkout shows that more than a rush is going on at its drop, in seconds. */
export const LASTING_SECONDS = 1800

/**
 * Whether more than half of the unsold units would be unpaid before the last unit of an order. The other units of the order
 * count, because a machine would otherwise take ten at a time whenever exactly half is free.
 */
export function isCrowded({ unsold, unpaid }: Pick<Pressure, 'unsold' | 'unpaid'>, quantity: number): boolean {
  return (unpaid + quantity - 1) * 2 > unsold
}

/** Whether a hold of `quantity` units needs work: too many units are unpaid, and have been for longer than a rush. */
export function isPressed(pressure: Pick<Pressure, 'unsold' | 'unpaid' | 'isLasting'>, quantity: number): boolean {
  return isCrowded(pressure, quantity) && pressure.isLasting
}

/** How many units one network may have in checkout at a drop without work. */
export function ownPart({ unsold }: Pick<Pressure, 'unsold'>): number {
  return Math.max(ONE_ORDER, Math.floor(unsold * OWN_PART))
}

/**
 * How many hashes at most a browser has to try before it gets a hold of `quantity` units; 0 for most people. The harder
 * a drop is pressed, and the more an origin has in checkout or let expire, the more work (ADR 0050).
 */
export function workFor(pressure: Pressure, quantity: number): number {
  const { unsold, unpaid, ownUnpaid, ownExpired, ownPaid } = pressure
  const own = ownPart(pressure)
  // How many times over its part the origin would be.
  const over = Math.min(8, Math.ceil(Math.max(0, ownUnpaid + quantity - own) / own))
  const expired = Math.min(8, ownExpired / (1 + ownPaid))
  const light = LIGHT_WORK * (over + (expired >= EXPIRED_WITHOUT_WORK ? Math.ceil(expired) : 0))
  if (!isPressed(pressure, quantity)) return light
  // The work doubles with each tenth of the units that is unpaid beyond the half, and with each expired checkout.
  const beyondHalf = Math.max(0, unpaid / Math.max(1, unsold) - 0.5)
  const steps = Math.min(5, beyondHalf * 10) + Math.min(3, expired)
  return Math.round(Math.min(MOST_WORK, light + CONTESTED_WORK * quantity * 2 ** steps * (1 + over)))
}

/** How long a browser without JavaScript waits instead of doing the work, in seconds. */
export function waitFor(work: number): number {
  return Math.min(120, Math.max(3, Math.ceil(work / 100_000)))
}
