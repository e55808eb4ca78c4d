// This program takes holds on the values of a drop's option. A test runs two such processes at the same time:
//   node --conditions=react-server --import ./tests/support/register-typescript.mjs tests/support/take-values.ts <JSON>
// The program prints as JSON how many units of each value it holds at its end.
import { systemContext } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { meetOther } from './meet-other'

type Crowd = { dropId: number; valueIds: number[]; attempts: number; atOnce: number; meetingPlace: string }
const { dropId, valueIds, attempts, atOnce, meetingPlace } = JSON.parse(process.argv[2] ?? '{}') as Crowd
const ctx = systemContext('test')
const got: Record<number, number> = {}
let next = 0

async function buyOneAfterAnother() {
  while (next < attempts) {
    const at = next++
    const valueId = valueIds[at % valueIds.length] ?? 0
    const buyer = { buyerKey: newSecret(), mode: 'hosted' as const, holdMs: 3_600_000 }
    const hold = await takeHold(ctx, { dropId, valueId, quantity: 1 + (at % 3), ...buyer })
    if (!hold) continue
    // In the first half, every fourth buyer releases the units right away, so that others can take them.
    if (at % 4 === 0 && at < attempts / 2) await releaseHold(ctx, hold.holdId, 'cancelled')
    else got[valueId] = (got[valueId] ?? 0) + 1 + (at % 3)
  }
}

await meetOther(meetingPlace)

await Promise.all(Array.from({ length: atOnce }, buyOneAfterAnother))
await closeDatabase()
console.log(JSON.stringify(got))
