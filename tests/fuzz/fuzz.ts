// Sends random requests to routes, pages and server actions, as a visitor, four sellers and an administrator: npm run
// fuzz [-- --requests 50000 --seed 451] It fails when a request gets no response or an undocumented 5xx, when a refusal
// reveals an internal error, or when the server's memory keeps growing.
import { parseArgs } from 'node:util'
import { runFuzz } from './run-fuzz'

const MAX_SHOWN = 20
/** How much memory may grow during the second half of the requests. Caches may still grow in that half. */
const MAX_GROWTH_MB = 50
/** Shorter runs do not check memory, because memory also grows while routes are loaded and caches are filled. */
const LEAST_FOR_MEMORY = 20_000

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '50000' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const requests = Number(values.requests)
console.log(
  `FUZZ_SEED=${seed}: ${requests} requests (repeat it with npm run fuzz -- --seed ${seed} --requests ${requests})`,
)
const { findings, statuses, memoryMb } = await runFuzz({ seed, requests })
const [half = 0, end = 0] = [memoryMb[Math.floor(memoryMb.length / 2) - 1], memoryMb.at(-1)]
const growthMb = end - half
const isFlat = growthMb <= MAX_GROWTH_MB || requests < LEAST_FOR_MEMORY
const isRight = findings.length === 0 && isFlat
console.log(
  `${isRight ? '✓' : '✗'} ${findings.length} findings; responses by status ${JSON.stringify(statuses)}; live memory in MB ${JSON.stringify(memoryMb)}`,
)
for (const finding of findings.slice(0, MAX_SHOWN)) console.log(`  ${JSON.stringify(finding)}`)
process.exitCode = isRight ? 0 : 1
