import { readdirSync } from 'node:fs'
import { isReservedUsername, USERNAME_PATTERN } from '@/lib/accounts/rules'

/** The first part of each address there is; folders in brackets are not part of one. */
function firstParts(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => (name.startsWith('(') ? firstParts(`${folder}/${name}`) : [name.replace(/\.\w+$/, '')]))
}

it('lets nobody be called like a page', () => {
  const names = firstParts('app').map((part) => part.replaceAll('-', '_'))
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => USERNAME_PATTERN.test(name) && !isReservedUsername(name))).toEqual([])
})
