// Checks that app/globals.css defines the color names that forms and cards from `npx shadcn add` use, in both themes,
// and that each pair of colors can be read (docs/product.md#look).
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { compile } from 'tailwindcss'

const PAIRS = ['background', 'card', 'popover', 'primary', 'secondary', 'muted', 'accent', 'destructive'] as const
const LINES = ['border', 'input', 'ring'] as const
const css = readFileSync('app/globals.css', 'utf8')

const foregroundOf = (name: string) => (name === 'background' ? 'foreground' : `${name}-foreground`)

/** Returns the variables of all `:root` blocks, and with `isDark` also those of the dark theme. */
function variables(isDark: boolean): Map<string, string> {
  const found = new Map<string, string>()
  const themed = css.split('@media (prefers-color-scheme: dark)')
  const blocks = themed.flatMap((part, at) => {
    const [first, ...rest] = [...part.matchAll(/:root \{([^}]*)\}/g)].map(([, body = '']) => body)
    return at === 0 || isDark ? [first ?? '', ...rest] : rest
  })
  for (const block of blocks) {
    for (const [, name = '', value = ''] of block.matchAll(/--([a-z-]+): ([^;]+);/g)) found.set(name, value)
  }
  return found
}

/** Returns the red, green and blue values of a color, following references to other variables. */
function colorOf(name: string, known: Map<string, string>): number[] {
  const value = known.get(name) ?? ''
  const [, other] = /^var\(--([a-z-]+)\)$/.exec(value) ?? []
  if (other) return colorOf(other, known)
  if (!/^#[0-9a-f]{6}$/.test(value)) throw new Error(`--${name} is not a color: "${value}"`)
  return [1, 3, 5].map((at) => Number.parseInt(value.slice(at, at + 2), 16))
}

/** Returns the contrast of two colors as WCAG 2.2 defines it. */
function contrast(one: number[], other: number[]): number {
  const light = (color: number[]) =>
    color
      .map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
      .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at]!, 0)
  const [low = 0, high = 0] = [light(one), light(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

async function classRules(classes: string[]): Promise<string> {
  const loadStylesheet = async (id: string) => {
    const file = id === 'tailwindcss' ? 'tailwindcss/index.css' : 'tw-animate-css/dist/tw-animate.css'
    const full = path.resolve('node_modules', file)
    return { path: full, base: path.dirname(full), content: readFileSync(full, 'utf8') }
  }
  return (await compile(css, { base: path.resolve('app'), loadStylesheet })).build(classes)
}

it('every name has classes for backgrounds, text, borders and rings', async () => {
  const classes = [
    ...PAIRS.flatMap((name) => [`bg-${name}`, `text-${foregroundOf(name)}`]),
    ...LINES.flatMap((name) => [`border-${name}`, `ring-${name}`]),
    'hover:bg-primary/90',
    'focus-visible:ring-ring/50',
    'dark:bg-input/30',
  ]
  const rules = await classRules(classes)
  const missing = classes.filter((name) => !rules.includes(`.${name.replace(/[:/]/g, '\\$&')}`))
  expect(missing).toEqual([])
})

it('`bg-muted` uses the muted background, and `text-muted` the muted text color', async () => {
  const rules = await classRules(['bg-muted', 'text-muted', 'text-muted-foreground'])
  expect(rules).toMatch(/\.bg-muted \{\s*background-color: var\(--muted\);/)
  expect(rules).toMatch(/\.text-muted \{\s*color: var\(--muted-foreground\);/)
  expect(rules).toMatch(/\.text-muted-foreground \{\s*color: var\(--muted-foreground\);/)
})

describe.each([
  ['light', false],
  ['dark', true],
])('in the %s theme', (_theme, isDark) => {
  const known = variables(isDark)

  it.each(PAIRS)('text on %s has a contrast of at least 4.5:1', (name) => {
    const pair = [colorOf(name, known), colorOf(foregroundOf(name), known)] as const
    expect(contrast(...pair)).toBeGreaterThanOrEqual(4.5)
  })

  it.each(['background', 'card', 'popover', 'secondary', 'muted'])(
    'muted text and errors have a contrast of at least 4.5:1 on %s',
    (name) => {
      for (const text of ['muted-foreground', 'destructive']) {
        expect([text, contrast(colorOf(text, known), colorOf(name, known)) >= 4.5]).toEqual([text, true])
      }
    },
  )

  it.each(['input', 'ring'])('%s has a contrast of at least 3:1 to pages and cards', (name) => {
    for (const surface of ['background', 'card']) {
      expect(contrast(colorOf(name, known), colorOf(surface, known))).toBeGreaterThanOrEqual(3)
    }
  })

  it('the border color is a valid color', () => expect(colorOf('border', known)).toHaveLength(3))
})
