import { checkAnswers } from './check-answers'
import { checkMail, countRepeats } from './check-mail'
import { checkMoney } from './check-money'
import { checkGoods } from './check-goods'
import { checkOffers } from './check-offers'
import { checkPages } from './check-pages'
import { checkParcels } from './check-parcels'
import type { Rest } from './come-to-rest'
import type { World } from './start-world'
import type { Violation } from './violation'
import { readDropStates, readPlatformStates } from './watch-database'

export type Verdict = { violations: Violation[]; figures: Record<string, number | string> }

/** Compares the history, the database and the stand-in's books after a storm, and returns all violations. */
export async function checkHistory(world: World, rest: Rest): Promise<Verdict> {
  const { entries } = world.recorder
  const [drops, platform] = [await readDropStates(world.postgres.pool), await readPlatformStates(world.postgres.pool)]
  const { violations, ...money } = await checkMoney(world)
  const { violations: ofOffers, ...offers } = await checkOffers(world, entries, drops)
  const { violations: ofParcels, ...parcels } = await checkParcels(world)
  const calls = entries.filter(({ kind }) => kind === 'call')
  const count = (kind: string) => entries.filter((entry) => entry.kind === kind).length
  const unknown = calls.filter((entry) => 'outcome' in entry && 'unknown' in entry.outcome).length
  return {
    violations: [
      ...(rest.afterMs === null ? [{ check: 'not-at-rest-after-a-minute', evidence: { left: rest.left } }] : []),
      ...violations,
      ...ofOffers,
      ...ofParcels,
      ...(await checkGoods(world, entries, drops)),
      ...checkPages(entries, drops, platform),
      ...(await checkMail(world, entries)),
      ...(await checkAnswers(world, entries)),
    ],
    figures: {
      calls: calls.length,
      unknown,
      faults: count('fault'),
      deliveries: count('delivery'),
      mails: count('mail'),
      mailsAgain: countRepeats(entries),
      ...money,
      ...offers,
      ...parcels,
      dropStates: drops.length,
      restMs: rest.afterMs ?? 'never',
    },
  }
}
