import { readdirSync } from 'node:fs'
import { isReservedUsername, USERNAME_PATTERN } from '@/lib/accounts/rules'

/** Returns the first part of the path of every page and route. A folder in parentheses is not part of a path. */
function firstParts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => (name.startsWith('(') ? firstParts(`${folder}/${name}`) : [name.replace(/\.\w+$/, '')]))
}

it('the first part of every path that could be a username is reserved', () => {
  const names = firstParts('app').map((part) => part.replaceAll('-', '_'))
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => USERNAME_PATTERN.test(name) && !isReservedUsername(name))).toEqual([])
})
