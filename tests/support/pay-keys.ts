// Buys units of a drop that gives each unit a key. A test runs two such processes at the same time:
//   node --conditions=react-server --import ./tests/support/register-typescript.mjs tests/support/pay-keys.ts <JSON>
// It prints, as JSON, how many payments were reported and how many units were sold.
import { closeDatabase } from '@/lib/infra/db'
import { isDatabaseUnavailable } from '@/lib/infra/database-errors'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { showKeys } from '@/lib/orders/show-keys'
import { randomFrom } from './chance'
import { visitor } from './factories'
import { meetOther } from './meet-other'
import { holdUnits, payFor } from './sell-units'

type Crowd = { dropId: number; attempts: number; atOnce: number; meetingPlace: string; seed: number }
const { dropId, attempts, atOnce, meetingPlace, seed } = JSON.parse(process.argv[2] ?? '{}') as Crowd
const { below } = randomFrom(seed)
let [next, payments, sold] = [0, 0, 0]

/**
 * Repeats a call until the database has had time for it. On a busy machine a call can wait longer for the locks of the
 * others than the database allows. The application answers such a call with a 503, and Stripe and buyers repeat it.
 */
async function repeatWhileBusy<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
  }
}

/**
 * Buys units in a loop. Some payments are reported by two callers at the same moment. Others are reported late, after
 * their units were released. Some buyers look at their keys right after paying.
 */
async function buyOneAfterAnother() {
  while (next < attempts) {
    next += 1
    const units = 1 + below(2)
    const held = await repeatWhileBusy(() => holdUnits(dropId, units))
    const fate = below(6)
    if (fate === 0) await repeatWhileBusy(() => releaseHold(visitor(), held.holdId, 'cancelled'))
    const report = () => repeatWhileBusy(() => payFor(held))
    const outcomes = fate === 1 ? await Promise.all([report(), report()]) : [await report()]
    payments += outcomes.length
    if (outcomes.includes('paid')) sold += units
    if (fate === 2) await repeatWhileBusy(() => showKeys(visitor(), { token: held.token, userAgent: 'test' }))
  }
}

await meetOther(meetingPlace)
await Promise.all(Array.from({ length: atOnce }, buyOneAfterAnother))
await closeDatabase()
console.log(JSON.stringify({ payments, sold }))
