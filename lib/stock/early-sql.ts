import 'server-only'

/** When followers may begin to buy; NULL without early access. */
const opensAt = `(d."startedAt" - make_interval(mins => d."earlyMinutes"))`
/** How many more units followers may take early. At least one unit of the drop stays for everyone. */
const left = `(LEAST(d."earlyUnits", d."quantity" - 1) - d."earlyTaken")`

/**
 * All arithmetic on early access, as parts of SQL statements over a "Drop" row `d` (ADR 0066). The statements that take
 * and release units change `earlyTaken` together with the stock, so the drop's row alone decides who gets the last
 * early unit. Before the start, a trigger refuses to take units that `earlyTaken` does not count.
 */
export const earlySql = {
  opensAt,
  left,
  /** Whether early access is open at this moment. */
  isOpen: `(d."startedAt" > now() AND ${opensAt} <= now())`,
  /** Assignment for an early hold. Needs the conditions `isOpen` and that enough units are left. */
  take: (units: string) => `"earlyTaken" = d."earlyTaken" + ${units}`,
  /** Assignment for a payment that takes units again, which are early units before the public start. */
  takeBeforeStart: (units: string) =>
    `"earlyTaken" = d."earlyTaken" + CASE WHEN d."startedAt" > now() THEN ${units} ELSE 0 END`,
  /**
   * Assignment for a released hold; `units` is 0 for a hold that was not early. GREATEST is needed because a new run
   * begins with 0 while holds of the previous run are open.
   */
  release: (units: string) => `"earlyTaken" = GREATEST(d."earlyTaken" - ${units}, 0)`,
  /** Assignments: the run has no early access. */
  clear: `"earlyMinutes" = NULL, "earlyUnits" = NULL, "earlyTaken" = 0`,
} as const

/** The units that go back to early access when hold `h` is released. */
export const earlyUnitsOf = (hold: string) =>
  `CASE WHEN ${hold}."earlyLinkId" IS NULL THEN 0 ELSE ${hold}."quantity" END`

/** Whether hold `h` uses its link: it is open or sold, or its order was refunded and its units are on sale again. */
export const usesLink = (hold: string) => `(${hold}."state" <> 'released' OR ${hold}."reason" = 'refunded')`

/**
 * Whether the link with this id may take units of drop `d`: it belongs to the drop, its follower has not left, and no
 * open or paid checkout uses it. A refund does not make a used link usable again. A unique index of "Hold" decides when
 * two checkouts use the link at the same time.
 * @param linkId an SQL expression for the id of the link
 */
export const isUsableLink = (linkId: string) => `EXISTS (
  SELECT 1 FROM "EarlyLink" l WHERE l."id" = ${linkId} AND l."dropId" = d."id" AND l."followerId" IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM "Hold" x WHERE x."earlyLinkId" = l."id" AND ${usesLink('x')}))`
