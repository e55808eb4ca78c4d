import { readdirSync } from 'node:fs'
import { isReservedUsername, USERNAME_PATTERN } from '@/lib/accounts/rules'

/** The first part of the address of every page and route. Folders in brackets are not part of an address. */
function firstParts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => (name.startsWith('(') ? firstParts(`${folder}/${name}`) : [name.replace(/\.\w+$/, '')]))
}

it('reserves the first part of every address as a username', () => {
  const names = firstParts('app').map((part) => part.replaceAll('-', '_'))
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => USERNAME_PATTERN.test(name) && !isReservedUsername(name))).toEqual([])
})
