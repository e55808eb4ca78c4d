import { editDropFormSchema } from '../edit-schema'
import { createDropFormSchema, createDropSchema, editDropSchema, emptyCreateDropForm, relaunchSchema } from '../schema'
import { openOptionTexts, optionTexts, valueProblems } from './option-messages'
import { namesOf, optionKey, readNames, readOptionName, readValues, writeValues } from './option-rules'

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

describe('the choices of an open edition have no units', () => {
  const names = (given: unknown) => {
    const read = readNames(given)
    return 'values' in read ? read.values.map(({ value }) => value) : read.problem
  }
  const open = { title: 'Shirt', description: 'Linen.', price: '24', isOpenEdition: 'true', optionName: 'Size' }
  const create = (fields: object) => createDropSchema(['image0']).safeParse({ ...open, ...fields })
  const issues = (fields: object) => (create(fields).error?.issues ?? []).map(({ path, message }) => [path[0], message])

  it('are typed as names, also as numbers and names with digits, and read back as they were written', () => {
    expect(names('S, M; L\n XL ')).toEqual(['S', 'M', 'L', 'XL'])
    expect(names('38, 39, 40')).toEqual(['38', '39', '40'])
    expect(names('100,200,300')).toEqual(['100', '200', '300'])
    expect(names('EU-42, W32/L34, 30 x 40 cm')).toEqual(['EU-42', 'W32/L34', '30 x 40 cm'])
    expect(names([{ value: ' Moss  green ' }])).toEqual(['Moss green'])
    expect(writeValues(namesOf([{ value: 'S', quantity: 5 }, { value: 'M' }]))).toBe('S, M')
  })

  const thirteen = Array.from({ length: 13 }, (_, at) => `V${at}`).join(', ')
  it.each<[string, unknown, string]>([
    ['nothing', ' , ;', openOptionTexts.missing],
    ['units', 'M, S 5', valueProblems('S').withUnits(5)],
    ['units after a colon', 'S: 5', valueProblems('S').withUnits(5)],
    ['a number that belongs to the name', 'EU 42', valueProblems('EU').withUnits(42)],
    ['thirteen values', thirteen, optionTexts.tooMany],
    ['two alike', 'M, m', valueProblems('m').alike],
    ['an emoji', 'M, 🔥', valueProblems('🔥').emoji],
    ['200 letters', 'x'.repeat(200), valueProblems(`${'x'.repeat(29)}…`).tooLong],
    ['a comma in a name of a list', [{ value: 'S, M' }], valueProblems('S, M').signs],
    ['a list with units', [{ value: 'S', quantity: 5 }], openOptionTexts.unreadable],
    ['broken JSON', '[{', openOptionTexts.unreadable],
    ['something else', 7, openOptionTexts.unreadable],
  ])('each mistake has its own text: %s', (_name, given, text) => expect(names(given)).toBe(text))

  it('are accepted for a new open edition as typed text and as JSON', () => {
    for (const options of ['S, M', '[{"value":"S"},{"value":"M"}]']) {
      expect(create({ options }).data).toMatchObject({ quantity: 1_000, options: [{ value: 'S' }, { value: 'M' }] })
    }
    expect(create({ options: 'S, M', quantity: '30' }).data).toMatchObject({ quantity: 30 })
    const { isOpenEdition: _isOpenEdition, ...form } = open
    expect(createDropSchema(['image0']).safeParse({ ...form, edition: 'open', options: 'S, M' }).success).toBe(true)
  })

  it('are refused with units, and those of a limited drop without units, in the call and in the form', () => {
    const withUnits = valueProblems('S').withUnits(5)
    expect(issues({ options: 'S 5, M 2' })).toEqual([['options', withUnits]])
    expect(issues({ options: '[{"value":"S","quantity":5}]' })).toEqual([['options', withUnits]])
    expect(issues({ isOpenEdition: 'false', options: 'S, M' })).toEqual([['options', valueProblems('S').withoutUnits]])
    expect(issues({ isOpenEdition: 'false', options: '[{"value":"S"}]' })).toEqual([
      ['options', valueProblems('S').withoutUnits],
    ])
    expect(issues({ options: 'S, M', optionName: '' })).toEqual([['optionName', optionTexts.nameMissing]])
    const image = { id: '1', url: '', file: new File([], 'photo.jpg') }
    const form = { ...emptyCreateDropForm, title: 'Shirt', description: 'Linen.', price: '24', isOpenEdition: true }
    const filled = { ...form, idempotencyKey: 'k', images: [image], quantity: '50' }
    const wrong = createDropFormSchema.safeParse({ ...filled, options: 'S 5' })
    expect(wrong.error?.issues).toMatchObject([{ path: ['options'], message: withUnits }])
    expect(createDropFormSchema.parse({ ...filled, options: 'S, M' })).toMatchObject({
      quantity: 50,
      options: [{ value: 'S' }, { value: 'M' }],
    })
  })

  it('an edit accepts choices with and without units, because only the drop decides which are right', () => {
    expect(editDropSchema.parse({ options: 'S, M' }).options).toEqual([{ value: 'S' }, { value: 'M' }])
    expect(editDropSchema.parse({ options: 'S 5' }).options).toEqual([{ value: 'S', quantity: 5 }])
    expect(editDropSchema.safeParse({ options: 'S 5, M' }).error?.issues).toMatchObject([
      { path: ['options'], message: valueProblems('M').withoutUnits },
    ])
    expect(editDropSchema.safeParse({ options: '' }).error?.issues).toMatchObject([{ message: optionTexts.missing }])
    const form = (isScheduled: boolean, options: string) =>
      editDropFormSchema(1, { hasOption: true, isScheduled, isOpenEdition: true }).safeParse({
        ...{ options, images: [], digitalFile: null },
      })
    expect(form(true, '').data?.options).toBeUndefined()
    expect(form(false, '').error?.issues).toMatchObject([{ path: ['options'], message: openOptionTexts.missing }])
    expect(form(false, 'S 5').error?.issues).toMatchObject([{ message: valueProblems('S').withUnits(5) }])
    expect(form(false, 'S, XL').data?.options).toEqual([{ value: 'S' }, { value: 'XL' }])
  })
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
