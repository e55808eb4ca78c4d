import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

// The mutants of the torture test (tests/torture/README.md) are patches that break the product on purpose. A patch that
// no longer applies proves nothing, so this test checks that each one could be applied.
const folder = path.join('tests', 'torture', 'mutants')
const patches = readdirSync(folder).filter((name) => name.endsWith('.patch'))

it('there are at least ten mutants', () => expect(patches.length).toBeGreaterThanOrEqual(10))

it.each(patches)('%s can be applied to the product', (name) => {
  execFileSync('git', ['apply', '--check', path.join(folder, name)], { stdio: 'pipe' })
})
