import { countedText, tooFewKeysText } from './key-messages'
import { MAX_KEYS, readKeys } from './key-rules'
import {
  createDropFields,
  createDropFormSchema,
  createDropSchema,
  createDropTexts,
  emptyCreateDropForm,
} from '../schema'

const keys = (typed: string) => {
  const read = readKeys(typed)
  return 'keys' in read ? read.keys.map(({ key }) => key) : read.problem
}

describe('readKeys', () => {
  it('reads one key per line, and ignores blank lines, spaces around a key and a byte order mark', () => {
    expect(keys('\uFEFFAAA-1\r\n\n  BBB 2\t\r\nccc\n')).toEqual(['AAA-1', 'BBB 2', 'ccc'])
    expect(keys(' \n\n')).toEqual([])
    expect(keys('aaa\nAAA')).toEqual(['aaa', 'AAA'])
    expect(keys('Платье-1\nReihe 3 Platz 4')).toEqual(['Платье-1', 'Reihe 3 Platz 4'])
  })

  it.each([
    [`A\n\n${'K'.repeat(200)}`, 'Line 3 has 200 characters. A key can have up to 100.'],
    ['A\nB\nA', 'Line 3 is the same as line 1. Each key can be listed once.'],
    ['A\nB 🎁', 'Line 2 has an emoji. Please use letters, digits and symbols that everyone can type.'],
    ['A\tB', 'Line 1 has a tab or a character that nobody can see. Please remove it.'],
    ['AB\u200BC', 'Line 1 has a tab or a character that nobody can see. Please remove it.'],
    ['A\n\u202EB', 'Line 2 has a tab or a character that nobody can see. Please remove it.'],
    ['\u3164', 'Line 1 has a tab or a character that nobody can see. Please remove it.'],
    ['A\u00A0B', 'Line 1 has a tab or a character that nobody can see. Please remove it.'],
    ['A\uD800', 'Line 1 has a tab or a character that nobody can see. Please remove it.'],
  ])('refuses %j and names the line', (typed, problem) => expect(keys(typed)).toBe(problem))

  it('accepts 10,000 keys, and refuses one more', () => {
    const list = Array.from({ length: MAX_KEYS }, (_, at) => `K${at}`).join('\n')
    expect(keys(list)).toHaveLength(MAX_KEYS)
    expect(keys(`${list}\nlast`)).toMatch(/^A list can have up to 10,000 keys\./)
  })
})

it('formats a number of keys', () => {
  expect([0, 1, 1_200].map(countedText)).toEqual(['0 keys', '1 key', '1,200 keys'])
  expect(tooFewKeysText(1)).toBe('You have 1 key left. Add keys, or set a quantity of at most 1.')
})

const call = { title: 'Game', description: 'A game.', price: '12', productType: 'digital' }
const problem = (fields: Record<string, string>) => {
  const issue = createDropSchema(['image0']).safeParse(fields).error?.issues[0]
  return issue && [issue.path[0], issue.message]
}

describe('the create call', () => {
  it('accepts keys instead of a file, and treats an empty list like no list', () => {
    expect(createDropFields.parse({ ...call, keys: 'A\nB' })).toMatchObject({ keys: [{ key: 'A' }, { key: 'B' }] })
    expect(createDropFields.parse({ ...call, keys: ' \n' }).keys).toBeUndefined()
    expect(problem({ ...call, keys: 'A' })).toBeUndefined()
  })

  it('refuses keys for goods that are not digital, and keys together with choices', () => {
    expect(problem({ ...call, productType: 'physical', keys: 'A' })).toEqual([
      'keys',
      'Only digital drops can hand out keys.',
    ])
    const options = { optionName: 'Size', options: 'S 1, M 2' }
    expect(problem({ ...call, ...options, keys: 'A' })).toEqual([
      'keys',
      "A drop with keys can't have choices. Remove the keys or the choices.",
    ])
    expect(problem({ ...call, keys: 'A\nA' })?.[0]).toBe('keys')
  })
})

describe('the create form', () => {
  const images = [{ id: 'one', file: new File(['x'], 'one.png'), url: 'blob:one' }]
  const form = { ...emptyCreateDropForm, ...call, productType: 'digital' as const, images, idempotencyKey: 'key' }

  it('sends the keys of a digital drop as they were typed, without a quantity', () => {
    expect(createDropTexts({ ...form, keys: ' A\nB' })).toMatchObject({ keys: ' A\nB' })
    expect(createDropTexts({ ...form, keys: ' A\nB' })).not.toHaveProperty('quantity')
    expect(createDropTexts({ ...form, keys: ' \n' })).toMatchObject({ quantity: '1' })
    expect(createDropTexts({ ...form, productType: 'physical', keys: 'A' })).not.toHaveProperty('keys')
  })

  it('needs a file or keys', () => {
    const messages = (keys: string) => createDropFormSchema.safeParse({ ...form, keys }).error?.issues[0]?.message
    expect(messages('')).toBe('Digital File is missing.')
    expect(messages('A')).toBeUndefined()
  })
})
