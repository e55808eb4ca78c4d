// Code, documents and texts for users are in American English, so that a search for a word finds all of its places. The
// list has the British spellings that this repository contained before.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const BRITISH =
  /cancell(?:ed|ing)|[a-z]*colour|behaviour|licence|labelled(?!by)|recognis|authoris|normalis|summaris|capitalis|finalis|synchronis|optimis(?:e|ation)|neighbour|favour|honoured|\bgrey|\bcentred|\bdefence|catalogue|fulfils?\b|spelt\b|towards\b|acknowledgement|for ever\b/i

/** Texts that must contain both spellings, or that cannot change. */
const LEFT_OUT = [
  /^prisma\/migrations\//, // Databases keep the checksums of migrations.
  /^tests\/support\/earliest-migrations\.sql$/,
  /^tests\/contract\/spelling\.test\.ts$/,
  /^lib\/moderation\//, // The scanner finds words in every spelling.
  /^lib\/help-chat\/rules\.ts$/, // The help chat understands questions in every spelling.
  /^package-lock\.json$/,
]
const TEXT = /\.(?:tsx?|mjs|cjs|js|md|prisma|css|json|ya?ml|patch)$|^Dockerfile$|^\.env\.example$/
/** The value that the database stores for a released hold. */
const STORED = /'cancelled'/g

const hasBritish = (text: string) => BRITISH.test(text.replace(STORED, ''))

test.each([
  'The colours of a drop',
  'licence keys',
  'isCancelled',
  'a labelled field',
  'to recognise it',
  'kept for ever',
])('a British spelling is found in "%s"', (text) => expect(hasBritish(text)).toBe(true))

test.each([
  "reason: 'cancelled'",
  'aria-labelledby',
  'cancellation',
  'the colors',
  'optimistic',
  'fulfilled',
  'for every sale',
])('no British spelling is found in "%s"', (text) => expect(hasBritish(text)).toBe(false))

const FOLDERS = ['.github', 'app', 'bench', 'components', 'deploy', 'docs', 'lib', 'prisma', 'scripts', 'tests']

/** Returns the files whose text this repository's authors write. */
function listTexts(): string[] {
  const inside = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name)),
  )
  return [...inside, ...readdirSync('.')].filter(
    (file) => TEXT.test(file) && !LEFT_OUT.some((pattern) => pattern.test(file)) && statSync(file).isFile(),
  )
}

test('every file is in American English', () => {
  const files = listTexts()
  expect(files.length).toBeGreaterThan(1_000)
  const found = files.flatMap((file) => [
    ...(hasBritish(file) ? [file] : []),
    ...readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, at) => (hasBritish(line) ? [`${file}:${at + 1}: ${line.trim().slice(0, 120)}`] : [])),
  ])
  expect(found).toEqual([])
})

// Prettier turns the last of these lines into a quotation in a document.
test('no text contains the marks of an unfinished merge', () => {
  const unfinished = listTexts().filter((file) => /^(?:<{7} |>{7} |(?:> ){7})/m.test(readFileSync(file, 'utf8')))
  expect(unfinished).toEqual([])
})
