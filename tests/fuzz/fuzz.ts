// npm run fuzz [-- --requests 50000 --seed 451]: random requests to every route, page and server action, as a visitor, a
// seller and an administrator. It fails when one is answered with a 5xx, not at all, or with words from inside.
import { parseArgs } from 'node:util'
import { runFuzz } from './run-fuzz'

const MOST_SHOWN = 20
/** How much the second half of the requests may add: caches and the reserves of the engine grow for a while. */
const MOST_GROWTH_MB = 150
/** In a shorter run routes are still loaded and caches still fill, which says nothing about what is kept for ever. */
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
const growthMb = memoryMb.end - memoryMb.half
const isFlat = growthMb <= MOST_GROWTH_MB || requests < LEAST_FOR_MEMORY
const isRight = findings.length === 0 && isFlat
console.log(
  `${isRight ? '✓' : '✗'} ${findings.length} findings; answers ${JSON.stringify(statuses)}; memory ${JSON.stringify(memoryMb)}`,
)
for (const finding of findings.slice(0, MOST_SHOWN)) console.log(`  ${JSON.stringify(finding)}`)
process.exitCode = isRight ? 0 : 1
