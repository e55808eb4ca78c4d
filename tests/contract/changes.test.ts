// Checks the lists of docs/changes.md: what the next change of each kind would touch. Twenty files or more are a sign
// that a part of the feature is in the wrong place.
import { existsSync, readFileSync } from 'node:fs'

const sections = readFileSync('docs/changes.md', 'utf8')
  .split(/^(?=## |### )/m)
  .filter((section) => section.startsWith('### The next '))
const filesOf = (section: string) =>
  [...section.matchAll(/`([\w/[\]().-]+\.(?:tsx?|mjs|prisma))`/g)].map(([, file]) => file!)

it.each(sections.map((section) => [section.split('\n')[0]!.slice(4), filesOf(section)]))(
  '%s touches fewer than twenty files, and each exists',
  (_title, files) => {
    // The migration is the file that the list does not name.
    expect(files.length + 1).toBeLessThan(20)
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((file) => !existsSync(file))).toEqual([])
    expect(new Set(files).size).toBe(files.length)
  },
)

it('there is such a list for a code, a discount and an option', () => expect(sections).toHaveLength(3))
