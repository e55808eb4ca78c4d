// This is `npm run drill`. docs/operations.md#faults says what each drill proves. `npm run drill -- power-cut` runs one
// drill.
import { drills } from './drills'
import { examine, startSite, untilHealed } from './start-site'

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !drills.some((drill) => drill.name === name))
const site = unknown.length > 0 ? null : await startSite()
if (!site)
  console.error(`There is no drill ${unknown.join(', ')}. Choose from: ${drills.map(({ name }) => name).join(', ')}`)
let isRight = site !== null
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void site?.stop().finally(() => process.exit(130)))

try {
  for (const { name, needsDisk, play } of site ? drills : []) {
    if (!site || (wanted.length > 0 && !wanted.includes(name))) continue
    if (needsDisk && !site.hasDisk) {
      console.log(`– ${name}: skipped, because only root can mount a disk`)
      continue
    }
    const report = await play(site)
    await untilHealed("the doctor's checks", () => examine(site.databaseUrl()).then(() => true))
    console.log(`✓ ${name}: ${report}`)
  }
} catch (error) {
  console.error(error)
  isRight = false
} finally {
  await site?.stop()
}
process.exit(isRight ? 0 : 1)
