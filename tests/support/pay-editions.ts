// Buys units of a numbered drop. A test runs two such processes at the same time:
//   node --conditions=react-server --import ./tests/support/register-typescript.mjs tests/support/pay-editions.ts <JSON>
// It prints, as JSON, how many units were sold.
import { closeDatabase } from '@/lib/infra/db'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { randomFrom } from './chance'
import { visitor } from './factories'
import { meetOther } from './meet-other'
import { holdUnits, payFor } from './sell-units'

type Crowd = { dropId: number; attempts: number; atOnce: number; meetingPlace: string; seed: number }
const { dropId, attempts, atOnce, meetingPlace, seed } = JSON.parse(process.argv[2] ?? '{}') as Crowd
const { below } = randomFrom(seed)
let [next, sold] = [0, 0]

/**
 * Buys units in a loop. Some payments are reported by two callers at the same moment. Others are reported late, after
 * their units were released.
 */
async function buyOneAfterAnother() {
  while (next < attempts) {
    next += 1
    const units = 1 + below(3)
    const held = await holdUnits(dropId, units)
    const fate = below(6)
    if (fate === 0) await releaseHold(visitor(), held.holdId, 'cancelled')
    const outcomes = fate === 1 ? await Promise.all([payFor(held), payFor(held)]) : [await payFor(held)]
    if (outcomes.includes('paid')) sold += units
  }
}

await meetOther(meetingPlace)
await Promise.all(Array.from({ length: atOnce }, buyOneAfterAnother))
await closeDatabase()
console.log(JSON.stringify({ sold }))
