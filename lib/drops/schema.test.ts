import { createDropSchema, editDropSchema } from './schema'

const form = {
  title: 'Mug',
  description: 'A mug.',
  price: '24',
  quantity: '2',
  productType: 'physical',
  duration: '48',
}
const schema = createDropSchema(['image0'])
const firstIssue = (value: object) => schema.safeParse(value).error?.issues[0]

it('reads a form as numbers and cents', () => {
  expect(schema.parse(form)).toMatchObject({ price: 2400, quantity: 2, duration: 48, shippingNote: '' })
})

it('takes the defaults of the create form', () => {
  const { quantity: _quantity, duration: _duration, productType: _type, ...rest } = form
  expect(schema.parse(rest)).toMatchObject({ quantity: 1, duration: 24, productType: 'physical' })
})

it('has no limit per buyer unless one is sent, from 1 to 10', () => {
  expect(schema.parse({ ...form, maxPerBuyer: '' }).maxPerBuyer).toBeUndefined()
  expect(schema.parse({ ...form, maxPerBuyer: '10' }).maxPerBuyer).toBe(10)
  for (const maxPerBuyer of ['0', '11', '-1', '1.5', 'x']) {
    expect(firstIssue({ ...form, maxPerBuyer })).toMatchObject({ path: ['maxPerBuyer'] })
  }
})

it('ends the limit per buyer of a live drop with an empty field, from a form or as JSON', () => {
  const edits = [{ maxPerBuyer: '' }, { maxPerBuyer: null }, { maxPerBuyer: '3' }, { maxPerBuyer: 3 }, {}]
  expect(edits.map((edit) => editDropSchema.parse(edit).maxPerBuyer)).toEqual([null, null, 3, 3, undefined])
  expect(editDropSchema.safeParse({ maxPerBuyer: 11 }).success).toBe(false)
})

it('names every missing field in one error on the first of them', () => {
  const issue = firstIssue({ duration: '24' })
  expect(issue?.message).toBe('Please complete required fields. Missing: Product Name, Description, Price')
  expect(issue?.path).toEqual(['title'])
})

test.each([
  [[], { duration: ' ' }, 'Missing: Product Name, Description, Price, Duration, Product Images'],
  [[], { ...form, title: '', productType: 'digital' }, 'Missing: Product Name, Product Images, Digital File'],
  [['image3', 'digitalFile'], { ...form, price: '', productType: 'digital' }, 'Missing: Price'],
  [['image0'], { ...form, price: '', productType: 'digital', digitalFileUrl: 'https://a.example/b' }, 'Missing: Price'],
  [['digitalFile'], { ...form, price: '' }, 'Missing: Price, Product Images'],
  [['image0'], { ...form, duration: '' }, 'Missing: Duration'],
])('with the files %j it names them with the fields', (files, fields, list) => {
  const issue = createDropSchema(files).safeParse(fields).error?.issues[0]
  expect(issue?.message).toBe(`Please complete required fields. ${list}`)
})

it('accepts a form that lacks only files, because the plan decides about them', () => {
  expect(createDropSchema([]).safeParse({ ...form, productType: 'digital' }).success).toBe(true)
})

test.each(['0', '-1', '1e3', 'NaN', '0.001', 'abc'])('price %s is invalid', (price) => {
  const issue = firstIssue({ ...form, price })
  expect(issue?.message).toBe('Invalid Price. Please enter a valid price greater than 0.')
  expect(issue?.path).toEqual(['price'])
})

test.each([
  ['0.49', 'Invalid Price: the lowest price is $0.50.'],
  ['1000000', 'Invalid Price: the highest price is $999,999.99.'],
])('price %s is out of range', (price, text) => expect(firstIssue({ ...form, price })?.message).toBe(text))

test.each(['0', '-1', '1.5', '2147483648', 'x', '1e3'])('quantity %s is invalid', (quantity) =>
  expect(firstIssue({ ...form, quantity })?.path).toEqual(['quantity']),
)

test.each(['', ' '])('a quantity that is sent as %j is none', (quantity) =>
  expect(firstIssue({ ...form, quantity })?.message).toBe('Quantity must be a whole number from 1 to 1,000,000.'),
)

test.each(['\u200b\u200b', '\u00ad', '\u2800', '\u3164', '\u202e\u202c', '\u00a0\ufeff', '\t\n'])(
  'a name and a description of %j show nothing',
  (text) => {
    expect(firstIssue({ ...form, title: text, description: text })?.message).toContain(
      'Missing: Product Name, Description',
    )
    expect(editDropSchema.safeParse({ description: text }).success).toBe(false)
  },
)

test.each(['🎉', '👨‍👩‍👧‍👦', 'كوب', 'a\u0301', '陶器'])('%s is a name', (title) =>
  expect(schema.parse({ ...form, title }).title).toBe(title),
)

test.each(['25', '0', '24.5', '96'])('duration %s is invalid', (duration) =>
  expect(firstIssue({ ...form, duration })?.path).toEqual(['duration']),
)

test.each(['javascript:alert(1)', 'http://a.b', 'https://', 'ftp://a.b/c', 'data:text/html,x'])(
  '%s is no link to a file',
  (digitalFileUrl) => expect(firstIssue({ ...form, digitalFileUrl })?.path).toEqual(['digitalFileUrl']),
)

it('refuses unknown fields', () => {
  expect(firstIssue({ ...form, fee: '0' })?.code).toBe('unrecognized_keys')
})

it('treats an invisible title as missing and removes characters that reverse the text direction', () => {
  expect(firstIssue({ ...form, title: '\u200b\u2060' })?.message).toBe(
    'Please complete required fields. Missing: Product Name',
  )
  expect(createDropSchema(['image0']).parse({ ...form, title: '\u202egum\nBlue' })).toMatchObject({ title: 'gum Blue' })
})
