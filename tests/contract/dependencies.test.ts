// Checks that shipped packages may be shipped and that packages run nothing when they are installed. In addition,
// `npm run check:dependencies` looks for known vulnerabilities.
import { readFileSync } from 'node:fs'
import { installScriptProblems, licenseProblems, type Lock } from '@/scripts/dependency-problems.mjs'

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock

test('every shipped package has a license that permits shipping it', () => expect(licenseProblems(lock)).toEqual([]))

test('every package with an install script is on the list of examined ones, and npm runs no install scripts', () => {
  expect(installScriptProblems(lock)).toEqual([])
  expect(readFileSync('.npmrc', 'utf8')).toContain('ignore-scripts=true')
})

test('an unaccepted license, a missing license and an unknown install script are reported', () => {
  const packages = {
    'node_modules/a': { license: 'AGPL-3.0' },
    'node_modules/b': {},
    'node_modules/c/node_modules/d': { license: 'MIT', hasInstallScript: true },
    'node_modules/e': { license: 'AGPL-3.0', dev: true },
  }
  expect(licenseProblems({ packages }).join()).toMatch(/^a has the license AGPL-3.0.*,b names no license\.$/)
  expect(installScriptProblems({ packages }).join()).toMatch(/^d has an install script/)
})
