// What is installed may be shipped, and installs nothing by itself. `npm run check:dependencies` asks for known holes, too.
import { readFileSync } from 'node:fs'
import { installScriptProblems, licenceProblems, type Lock } from '@/scripts/dependency-rules.mjs'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock

test('every shipped package has a licence that lets it be shipped', () => expect(licenceProblems(lock)).toEqual([]))

test('no package brings an install script that nobody examined, and npm runs none', () => {
  expect(installScriptProblems(lock)).toEqual([])
  expect(readFileSync('.npmrc', 'utf8')).toContain('ignore-scripts=true')
})

test('another licence, a missing one and a new install script are named', () => {
  const packages = {
    'node_modules/a': { license: 'AGPL-3.0' },
    'node_modules/b': {},
    'node_modules/c/node_modules/d': { license: 'MIT', hasInstallScript: true },
    'node_modules/e': { license: 'AGPL-3.0', dev: true },
  }
  expect(licenceProblems({ packages }).join()).toMatch(/^a has the licence AGPL-3.0.*,b names no licence\.$/)
  expect(installScriptProblems({ packages }).join()).toMatch(/^d brings an install script/)
})
