// This program takes early holds of one drop with the links of its followers, and releases some of them. A test runs
// two such processes at the same time:
//   node --conditions=react-server --import ./tests/support/register-typescript.mjs tests/support/take-early.ts <JSON>
// It prints, as JSON, the highest number of early units that it saw taken (`most`), and how many holds it got (`got`).
import { systemContext } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { newSecret } from '@/lib/kernel/id'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { randomFrom } from './chance'
import { meetOther } from './meet-other'

type Crowd = { dropId: number; linkIds: number[]; attempts: number; atOnce: number; meetingPlace: string; seed: number }
const { dropId, linkIds, attempts, atOnce, meetingPlace, seed } = JSON.parse(process.argv[2] ?? '{}') as Crowd
const ctx = systemContext('test')
const { below } = randomFrom(seed)
let [next, most, got] = [0, 0, 0]

async function buyOneAfterAnother() {
  while (next < attempts) {
    next += 1
    const earlyLinkId = linkIds[below(linkIds.length)] ?? 0
    const buyer = { buyerKey: newSecret(), mode: 'hosted' as const, holdMs: 3_600_000 }
    const hold = await takeHold(ctx, { dropId, earlyLinkId, quantity: 1 + below(2), ...buyer }).catch(
      (error: unknown) => {
        if (uniqueViolation(error)?.includes('Hold_one_per_early_link')) return null
        throw error
      },
    )
    const { earlyTaken, held } = await ctx.db.drop.findUniqueOrThrow({ where: { id: dropId } })
    most = Math.max(most, earlyTaken, held)
    if (!hold) continue
    got += 1
    // The last tenth of the attempts keeps its units.
    if (next < attempts * 0.9) await releaseHold(ctx, hold.holdId, 'cancelled')
  }
}

await meetOther(meetingPlace)

await Promise.all(Array.from({ length: atOnce }, buyOneAfterAnother))
await closeDatabase()
console.log(JSON.stringify({ most, got }))
