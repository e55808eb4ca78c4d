import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// A citation is useless when the cited rule cannot be found, so every citation in a comment must lead to a heading or a
// decision of this repository.

const FOLDERS = ['app', 'bench', 'components', 'docs', 'lib', 'prisma', 'scripts', 'tests']
const TEXT = /\.(?:tsx?|mjs|cjs|js|md|prisma|sql|css)$/
/**
 * This file contains the forms that it looks for. The other file is the history of databases from before the first
 * release.
 */
const LEFT_OUT = ['tests/contract/citations.test.ts', 'tests/support/earliest-migrations.sql']

type Line = { place: string; file: string; text: string }

function listFiles(): string[] {
  const inside = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.posix.join(folder, name)),
  )
  return [...inside, ...readdirSync('.')].filter((name) => TEXT.test(name) && !LEFT_OUT.includes(name))
}

const lines: Line[] = listFiles().flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .map((text, at) => ({ place: `${file}:${at + 1}`, file, text })),
)

/** Returns the anchor that GitHub gives to a heading. */
function toAnchor(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

function anchorsOf(markdown: string): string[] {
  const withoutCode = markdown.replace(/^```.*?^```/gms, '')
  return [...withoutCode.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => toAnchor(heading))
}

const anchors = new Map<string, string[]>()

/** Returns whether a document exists and has the heading. */
function leadsSomewhere(file: string, anchor: string | undefined): boolean {
  if (!existsSync(file)) return false
  if (anchor === undefined) return true
  if (!anchors.has(file)) anchors.set(file, anchorsOf(readFileSync(file, 'utf8')))
  return anchors.get(file)?.includes(anchor) ?? false
}

const decisions = readdirSync('docs/adr').sort()
/** The width of a line of a decision, as in the code. */
const MAX_WIDTH = 120

describe('decisions', () => {
  it('are numbered from 0001 on without duplicates and gaps', () => {
    const expected = decisions.map((_, at) => String(at + 1).padStart(4, '0'))
    expect(decisions.map((name) => name.slice(0, 4))).toEqual(expected)
  })

  test.each(decisions)('%s has its number, a context, a decision and consequences, in ten to thirty lines', (name) => {
    const text = readFileSync(`docs/adr/${name}`, 'utf8')
    expect(text).toMatch(new RegExp(`^# ${name.slice(0, 4)} \\S`))
    for (const part of ['Context', 'Decision', 'Consequences']) expect(text).toContain(`\n**${part}.** `)
    const written = text.trimEnd().split('\n')
    expect(written.length).toBeGreaterThanOrEqual(10)
    expect(written.length).toBeLessThanOrEqual(30)
    // A limit of lines means nothing while a line may have any width. Prettier does not wrap the lines of a document.
    expect(written.filter((line) => line.length > MAX_WIDTH)).toEqual([])
  })

  it('are cited by a number that exists', () => {
    const numbers = new Set(decisions.map((name) => name.slice(0, 4)))
    const cited = lines.flatMap(({ place, text }) =>
      [...text.matchAll(/\bADRs? (\d{4}(?:(?:,| and) \d{4})*)/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/\d{4}/g)].map(([number]) => ({ place, number })),
      ),
    )
    expect(cited.length).toBeGreaterThan(50)
    expect(cited.filter(({ number }) => !numbers.has(number))).toEqual([])
  })

  it('are cited by their numbers and not by their file names, which may change', () => {
    const cited = lines.filter(({ text }) => /docs\/adr\/\d/.test(text))
    expect(cited.map(({ place }) => place)).toEqual([])
  })
})

/**
 * Returns the documents that a text cites, with the heading. A README.md may be in any folder. A path that begins in
 * the folder of its document, such as `../README.md`, belongs to a link, which has a test of its own.
 */
function documentsIn(text: string): { file: string; anchor: string | undefined }[] {
  const paths = /(?<![\w/-])(docs\/[\w-]+\.md|CONTRIBUTING\.md|(?:[\w-]+\/)*README\.md)(?:#([\w-]+))?/g
  return [...text.matchAll(paths)].map(([, file = '', anchor]) => ({ file, anchor }))
}

describe('documents', () => {
  it.each([
    ['see tests/torture/README.md#mutants', 'tests/torture/README.md', 'mutants'],
    ['see README.md#mutants', 'README.md', 'mutants'],
    ['(docs/product.md#holds)', 'docs/product.md', 'holds'],
    ['`CONTRIBUTING.md`', 'CONTRIBUTING.md', undefined],
  ])('are recognized in "%s" with their folder', (text, file, anchor) =>
    expect(documentsIn(text)).toEqual([{ file, anchor }]),
  )

  it('exist and have the cited heading wherever they are cited', () => {
    const cited = lines.flatMap(({ place, text }) => documentsIn(text).map((document) => ({ place, ...document })))
    expect(cited.length).toBeGreaterThan(100)
    expect(cited.filter(({ file, anchor }) => !leadsSomewhere(file, anchor))).toEqual([])
  })

  it('contain only links to headings and files that exist', () => {
    const links = lines
      .filter(({ file }) => file.endsWith('.md'))
      .flatMap(({ place, file, text }) =>
        [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)].map(([, target = '', anchor]) => ({
          place,
          target: target === '' ? file : path.posix.join(path.posix.dirname(file), target),
          anchor,
        })),
      )
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter(({ target, anchor }) => !leadsSomewhere(target, anchor))).toEqual([])
  })
})

test('every file that a document names exists', () => {
  const named = lines
    .filter(({ file }) => file.endsWith('.md'))
    // A document marks a file that does not exist yet with ", new".
    .flatMap(({ place, text }) =>
      [...text.matchAll(/`((?:app|bench|components|lib|prisma|scripts|tests)\/[\w()[\]./-]+\.\w+)`(?!, new)/g)].map(
        ([, target = '']) => ({ place, target }),
      ),
    )
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(({ target }) => !existsSync(target))).toEqual([])
})

/** The forms that citations of papers outside the repository have. */
const ELSEWHERE = [
  /\bSPEC(?:\.md)?\b/,
  /\bDECISIONS(?:\.md)?\b/,
  /\bCONTRACT\b/,
  /\bSTACK\b/,
  /\bPAYMENTS\b/,
  /\bDESIGN\b/,
  /\bPERFORMANCE\b/,
  /\bSTRIPE-RULES\b/,
  /§ ?\d/,
  /\bresearch[/,]/,
  /\breviews?\/[\w-]+\.md/,
  /\bchecklist \d/,
]

const citesElsewhere = (text: string) => ELSEWHERE.some((pattern) => pattern.test(text))

describe('papers outside the repository', () => {
  it.each([
    'at most 20 (SPEC §5)',
    'a hold is taken first (DECISIONS 4)',
    'CONTRACT, Errors',
    'STACK trap 6',
    'PAYMENTS, One switch',
    'DESIGN, Phones first',
    'research/reliability T9',
    'research, checklist 49',
    'reviews/code.md',
  ])('are recognized in "%s"', (text) => expect(citesElsewhere(text)).toBe(true))

  it.each(["code: 'PAYMENTS_OFF'", 'ALLOW_SANDBOX_PAYMENTS=1', 'research chemical', 'const SPECIAL = 1'])(
    'are not recognized in "%s"',
    (text) => expect(citesElsewhere(text)).toBe(false),
  )

  it('are cited nowhere', () => {
    const found = lines.filter(({ text }) => citesElsewhere(text))
    expect(found.map(({ place, text }) => `${place}: ${text.trim()}`)).toEqual([])
  })
})
