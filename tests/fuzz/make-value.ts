import type { randomFrom } from '../support/chance'

export type Random = ReturnType<typeof randomFrom>

/** The part of a JSON schema that matters for making a value. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  format?: string
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

/** Values that often break programs. */
const STRANGE: readonly unknown[] = [
  '',
  ' ',
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  2 ** 31,
  2 ** 53,
  '0',
  '-1',
  '1e9',
  '0x10',
  'NaN',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '😀'.repeat(70),
  '\u202eabc',
  'Ａｄａ',
  'ß'.repeat(300),
  'x'.repeat(20_000),
  "' OR 1=1; --",
  '%00',
  '%',
  '{"a":1}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  '__proto__',
  'constructor',
  '\r\nSet-Cookie: a=b',
  'javascript:alert(1)',
  '//example.com',
  'http://[::1',
  '0000-00-00',
  '2026-02-30T25:61:61Z',
  '+275760-09-13T00:00:00.001Z',
  [],
  {},
  [[[[[[[[[[]]]]]]]]]],
  { $ne: null },
  { toString: 'x' },
]

export const oneOf = <T>(random: Random, items: readonly T[]): T => items[random.below(items.length)] as T

/** Returns true with a probability of 1 in `times`. */
export const sometimes = (random: Random, times: number): boolean => random.below(times) === 0

export const strangeValue = (random: Random): unknown => oneOf(random, STRANGE)

export const strangeText = (random: Random): string => {
  const value = strangeValue(random)
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Sometimes ends a text with half a character, which passes checks of length and form but fits into no database. */
const sometimesHalf = (random: Random, value: unknown): unknown =>
  typeof value === 'string' && sometimes(random, 12) ? `${value}\ud800` : value

/** Values that exist in the application: `known` has values for any place, `fields` those for a field of that name. */
type Given = { known: readonly unknown[]; fields: Record<string, readonly unknown[]> }

/**
 * Makes a value that mostly fits the schema, with a strange value in about one place out of eight.
 * @param given values that exist; they replace the made value in some places
 */
export function makeValue(random: Random, schema: Schema, given: Given, depth = 0): unknown {
  if (depth > 6 || sometimes(random, 8)) return strangeValue(random)
  if (sometimes(random, 6)) return oneOf(random, given.known)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return oneOf(random, schema.enum)
  const choice = schema.anyOf ?? schema.oneOf
  if (choice) return makeValue(random, oneOf(random, choice), given, depth + 1)
  const type = Array.isArray(schema.type) ? oneOf(random, schema.type) : schema.type
  switch (type) {
    case 'object':
      return makeObject(random, schema, given, depth)
    case 'array':
      return Array.from({ length: random.below(4) }, () => makeValue(random, schema.items ?? {}, given, depth + 1))
    case 'integer':
    case 'number':
      return (schema.minimum ?? 0) + random.below(Math.min((schema.maximum ?? 100) - (schema.minimum ?? 0) + 2, 1_000))
    case 'boolean':
      return sometimes(random, 2)
    case 'string':
      return sometimesHalf(
        random,
        schema.format === 'email' ? `fuzz${random.below(50)}@example.com` : `text ${random.below(1_000)}`,
      )
    default:
      return strangeValue(random)
  }
}

function makeObject(random: Random, schema: Schema, given: Given, depth: number): unknown {
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, unknown][] => {
    const isWanted = schema.required?.includes(name) ? !sometimes(random, 20) : sometimes(random, 2)
    if (!isWanted) return []
    const values = given.fields[name]
    return [
      [
        name,
        values && !sometimes(random, 4)
          ? sometimesHalf(random, oneOf(random, values))
          : makeValue(random, field, given, depth + 1),
      ],
    ]
  })
  if (sometimes(random, 15)) fields.push([strangeText(random), strangeValue(random)])
  return Object.fromEntries(fields)
}
