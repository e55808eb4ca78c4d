import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'

// The mutants of the torture (tests/torture/README.md) are patches against the product. A patch that no longer applies
// proves nothing, so this test checks each without applying it.
const folder = path.join('tests', 'torture', 'mutants')
const patches = readdirSync(folder).filter((name) => name.endsWith('.patch'))

it('has at least ten ways of breaking the product', () => expect(patches.length).toBeGreaterThanOrEqual(10))

it.each(patches)('%s fits the product', (name) => {
  execFileSync('git', ['apply', '--check', path.join(folder, name)], { stdio: 'pipe' })
})
