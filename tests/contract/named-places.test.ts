// Checks that the documents name places that exist, so that a newcomer who follows them arrives: functions in the files
// that are said to contain them, and the files in the lists of docs/changes.md, whose folder is named once for several
// files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const documents = [
  'CONTRIBUTING.md',
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

type Place = { name: string; file: string }

/** Returns what a text says to be in a file: `markPaid()` in `lib/checkout/settlement/mark-paid.ts`. */
function placesIn(text: string): Place[] {
  return [...text.matchAll(/`(\w+)(?:\(\))?`\s+(?:in|of)\s+`([\w./()[\]-]+\.(?:ts|tsx|mjs))`/g)].map(
    ([, name = '', file = '']) => ({ name, file }),
  )
}

const isDeclared = ({ name, file }: Place) =>
  existsSync(file) &&
  new RegExp(`\\b(?:function\\*?|const|let|class|type|model) ${name}\\b`).test(readFileSync(file, 'utf8'))

test('every function that a document names is in the file that the document names', () => {
  const places = documents.flatMap((document) =>
    placesIn(readFileSync(document, 'utf8')).map((place) => ({ document, ...place })),
  )
  expect(places.length).toBeGreaterThan(15)
  expect(places.filter((place) => !isDeclared(place))).toEqual([])
})

test('a function that is missing in its file is found', () => {
  const places = placesIn(
    'See `takeHold()` in `lib/checkout/hold/take-hold.ts` and `takeAll()` in `lib/checkout/hold/take-hold.ts`.',
  )
  expect(places.map(isDeclared)).toEqual([true, false])
})

const FOLDER = /^((?:app|bench|components|lib|prisma|scripts|tests)\/[\w()[\]/-]*\/|[\w-]+\/)$/

/**
 * Returns the files that a list names and that do not exist. A folder that is followed by a colon holds the files after
 * it, until a semicolon or another folder. A file without a folder must be somewhere below the folders that the
 * document names.
 */
function missingFiles(list: string, everywhere: ReadonlySet<string>): string[] {
  let folder: string | null = null
  const missing: string[] = []
  for (const [, name, colon, end] of list.matchAll(/`([^`]+)`(:?)|(;)/g)) {
    if (end !== undefined) folder = null
    else if (name !== undefined && FOLDER.test(name)) folder = colon === ':' ? name : null
    else if (name !== undefined && /^[\w()[\]./-]+\.(?:ts|tsx|mjs|prisma)$/.test(name)) {
      const isThere: boolean =
        name.includes('/') || folder
          ? existsSync(path.join(name.includes('/') ? '' : (folder ?? ''), name))
          : everywhere.has(name)
      if (!isThere) missing.push(`${folder ?? ''}${name}`)
    }
  }
  return missing
}

const everywhere = new Set(
  ['app', 'components', 'lib', 'prisma'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.basename(name)),
  ),
)

test('every file in the lists of docs/changes.md exists', () => {
  const lists = readFileSync('docs/changes.md', 'utf8').split(/\n(?=\|)|\n\n/)
  expect(lists.flatMap((list) => missingFiles(list, everywhere))).toEqual([])
})

test('a file that is not in the folder of its list is found', () => {
  const list = '`lib/checkout/hold/`: `take-hold.ts`, `take-all.ts`; `lib/drops/`: `view.ts`; `nowhere-at-all.tsx`'
  expect(missingFiles(list, everywhere)).toEqual(['lib/checkout/hold/take-all.ts', 'nowhere-at-all.tsx'])
})

/** The width up to which a row of the table can be read in an editor and in a terminal without wrapping. */
const MAX_ROW = 160

test('the table "Where is it?" has short answers', () => {
  const [, section = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('\n## Where is it?\n')
  const rows = (section.split('\n#')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.filter((row) => row.length > MAX_ROW)).toEqual([])
})

/** The length up to which the page is read before the first change. */
const MAX_LINES = 90

test('docs/ARCHITECTURE.md is about one page, with a diagram of the folders and one of a purchase', () => {
  const page = readFileSync('docs/ARCHITECTURE.md', 'utf8')
  expect(page.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_LINES)
  expect(page.match(/^```mermaid$/gm)).toHaveLength(2)
})
