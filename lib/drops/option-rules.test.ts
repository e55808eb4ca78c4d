import { createDropFormSchema, createDropSchema, editDropSchema, emptyCreateDropForm, relaunchSchema } from './schema'
import { optionTexts, valueProblems } from './option-messages'
import { optionKey, readOptionName, readValues, writeValues } from './option-rules'

const read = (given: unknown, least: 0 | 1 = 1) => readValues(given, { least })
const problem = (given: unknown, least: 0 | 1 = 1) => {
  const result = read(given, least)
  return 'problem' in result ? result.problem : null
}

const sizes = [
  { value: 'S', quantity: 5 },
  { value: 'M', quantity: 10 },
  { value: 'L', quantity: 5 },
]

describe('a value that the edit form would read as another one is refused', () => {
  it.each(['Red, blue', 'Red; blue', 'Size:', 'Size ×', 'Size ='])('the value %j', (value) =>
    expect(problem([{ value, quantity: 5 }])).toBe(valueProblems(value).signs),
  )
  it('symbols in the middle of a value are accepted', () =>
    expect(problem([{ value: "Levi's® 1:2", quantity: 5 }])).toBeNull())
})

describe('values that look alike', () => {
  it.each([
    ['with a zero width joiner', 'می\u200cخواهم', 'میخواهم'],
    ['with composed and separate accents', 'Caf\u00e9', 'Cafe\u0301'],
    ['in full width letters', 'M', '\uff2d'],
  ])('are refused as one listed twice: %s', (_name, one, other) =>
    expect(problem([one, other].map((value) => ({ value, quantity: 5 })))).toBe(
      valueProblems(other.normalize('NFC')).alike,
    ),
  )

  it.each(['S\u200b', 'S\u00ad', '\u200eL', 'M\u034f'])('a value with an invisible character is refused: %j', (value) =>
    expect(problem([{ value, quantity: 5 }])).toBe(valueProblems(value).invisible),
  )

  it('a value is stored with composed accents', () =>
    expect(read([{ value: 'Cafe\u0301', quantity: 5 }])).toEqual({ values: [{ value: 'Caf\u00e9', quantity: 5 }] }))
})

describe('the values that a seller types', () => {
  it.each(['S 5, M 10, L 5', 'S 5,M 10,L 5,', '  S   5 ;M: 10\nL=5', 'S x5, M × 10, L:5', JSON.stringify(sizes)])(
    '%j is read as three sizes',
    (typed) => expect(read(typed)).toEqual({ values: sizes }),
  )

  it('reads a comma inside a number as part of the number', () =>
    expect(read('S 1,000, M 5,38 12,500\nL 2,000')).toEqual({
      values: [
        { value: 'S', quantity: 1_000 },
        { value: 'M', quantity: 5 },
        { value: '38', quantity: 12_500 },
        { value: 'L', quantity: 2_000 },
      ],
    }))

  it('accepts names of several words, with digits, symbols and other scripts', () =>
    expect(read('EU 42 5, Moss green 2, W32/L34 1, 大 3, One-size 4')).toEqual({
      values: [
        { value: 'EU 42', quantity: 5 },
        { value: 'Moss green', quantity: 2 },
        { value: 'W32/L34', quantity: 1 },
        { value: '大', quantity: 3 },
        { value: 'One-size', quantity: 4 },
      ],
    }))

  it('reads back the values that writeValues() wrote', () =>
    expect(read(writeValues(sizes))).toEqual({ values: sizes }))
})

describe('each mistake has its own text', () => {
  const thirteen = Array.from({ length: 13 }, (_, at) => `V${at} 1`).join(', ')
  const long = 'x'.repeat(200)
  it.each<[string, unknown, string]>([
    ['nothing', ' , ;', optionTexts.missing],
    ['thirteen values', thirteen, optionTexts.tooMany],
    ['two that differ only in case', 'M 5, m 3', valueProblems('m').alike],
    ['two that differ only in spaces', 'Moss  green 5, moss green 3', valueProblems('moss green').alike],
    ['an emoji', 'M 5, 🔥 3', valueProblems('🔥').emoji],
    ['a flag', 'M 5, 🇩🇪 3', valueProblems('🇩🇪').emoji],
    ['200 letters', `M 5, ${long} 3`, valueProblems(`${'x'.repeat(29)}…`).tooLong],
    ['200 letters without units', long, valueProblems(`${'x'.repeat(29)}…`).withoutUnits],
    ['no units', 'S 5, M', valueProblems('M').withoutUnits],
    ['a number alone', 'S 5, 7', optionTexts.unreadable],
    ['zero units', 'S 5, M 0', valueProblems('M').noUnits],
    ['too many units', 'S 600000, M 600000', optionTexts.tooManyUnits],
    ['far too many units', 'S 999999999', optionTexts.tooManyUnits],
    ['a number of units with more digits', 'S 9999999999', optionTexts.tooManyUnits],
    ['far too many units in a list', '[{"value":"S","quantity":1000000000}]', optionTexts.tooManyUnits],
    ['JSON of something else', '[{"value":"S"}]', optionTexts.unreadable],
    ['JSON with another field', '[{"value":"S","quantity":1,"price":1}]', optionTexts.unreadable],
    ['JSON with half a unit', '[{"value":"S","quantity":1.5}]', optionTexts.unreadable],
    ['JSON with a negative number', '[{"value":"S","quantity":-1}]', optionTexts.unreadable],
    ['broken JSON', '[{', optionTexts.unreadable],
    ['something else', { S: 5 }, optionTexts.unreadable],
  ])('for %s', (_name, given, text) => expect(problem(given)).toBe(text))

  it('a new run may have no units of some values, but not of all', () => {
    expect(problem('S 0, M 3', 0)).toBeNull()
    expect(problem('S 0, M 0', 0)).toBe(optionTexts.noUnitsAtAll)
  })

  it('each mistake in the name of an option has its own text', () => {
    expect(readOptionName('  Shoe   size ')).toEqual({ name: 'Shoe size' })
    expect(readOptionName(' ')).toEqual({ problem: optionTexts.nameMissing })
    expect(readOptionName('x'.repeat(21))).toEqual({ problem: optionTexts.nameTooLong })
    expect(readOptionName('Size 👕')).toEqual({ problem: optionTexts.nameEmoji })
  })

  it('case and extra spaces do not make a different value', () => expect(optionKey(' Moss  Green ')).toBe('moss green'))
})

describe('the schemas of the calls and forms', () => {
  const form = { title: 'Shirt', description: 'Linen.', price: '24' }
  const create = (fields: object) => createDropSchema(['image0']).safeParse({ ...form, ...fields })
  const issue = (fields: object) => {
    const [first] = create(fields).error?.issues ?? []
    return first && [first.path.join('.'), first.message]
  }

  it('accept the values of a new drop as typed text and as JSON', () => {
    expect(create({ optionName: 'Size', options: 'S 5, M 10, L 5' }).data).toMatchObject({ options: sizes })
    expect(create({ optionName: ' Size ', options: JSON.stringify(sizes) }).data).toMatchObject({
      optionName: 'Size',
      options: sizes,
    })
    expect(create({ optionName: '', options: '' }).data).toMatchObject({ quantity: 1 })
  })

  it('report each problem at its field, and require a name and values together', () => {
    expect(issue({ optionName: 'Size', options: 'S 5, s 1' })).toEqual(['options', valueProblems('s').alike])
    expect(issue({ options: 'S 5' })).toEqual(['optionName', optionTexts.nameMissing])
    expect(issue({ optionName: 'Size' })).toEqual(['options', optionTexts.missing])
    expect(issue({ optionName: 'Size 👕', options: 'S 5' })).toEqual(['optionName', optionTexts.nameEmoji])
  })

  it('report the same problems in the create form, and require none of these fields for a drop without an option', () => {
    const image = { id: '1', url: '', file: new File([], 'photo.jpg') }
    const filled = { ...emptyCreateDropForm, ...form, idempotencyKey: 'k', images: [image] }
    const wrong = createDropFormSchema.safeParse({ ...filled, options: 'S 5, M' })
    expect(wrong.error?.issues).toMatchObject([{ path: ['options'], message: valueProblems('M').withoutUnits }])
    const nameless = createDropFormSchema.safeParse({ ...filled, options: 'S 5', optionName: ' ' })
    expect(nameless.error?.issues).toMatchObject([{ path: ['optionName'], message: optionTexts.nameMissing }])
    expect(createDropFormSchema.safeParse(filled).success).toBe(true)
    expect(createDropFormSchema.safeParse({ ...filled, options: 'S 5, M 2', quantity: '' }).success).toBe(true)
  })

  it('accept a list, JSON and typed text for an edit and a relaunch', () => {
    for (const options of [sizes, JSON.stringify(sizes), 'S 5, M 10, L 5']) {
      expect(editDropSchema.parse({ options }).options).toEqual(sizes)
      expect(relaunchSchema.parse({ duration: 24, options }).options).toEqual(sizes)
    }
    expect(editDropSchema.safeParse({ options: 'S 5, S 5' }).error?.issues).toMatchObject([
      { path: ['options'], message: valueProblems('S').alike },
    ])
    expect(editDropSchema.parse({ description: 'x' })).toEqual({ description: 'x' })
  })
})
