import { editionTexts } from './editions/edition-messages'
import { openTexts } from './editions/open-messages'
import { editDropFormSchema } from './edit-schema'
import {
  type CreateDropForm,
  createDropFields,
  createDropFormSchema,
  createDropSchema,
  createDropTexts,
  editDropSchema,
  emptyCreateDropForm,
  missingInForm,
} from './schema'

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

it('converts the strings of a form to numbers and cents', () => {
  expect(schema.parse(form)).toMatchObject({ price: 2400, quantity: 2, duration: 48, shippingNote: '' })
})

it('uses the defaults of the create form', () => {
  const { quantity: _quantity, duration: _duration, productType: _type, ...rest } = form
  expect(schema.parse(rest)).toMatchObject({ quantity: 1, duration: 24, productType: 'physical' })
})

it('has no limit per buyer unless a number from 1 to 10 is sent', () => {
  expect(schema.parse({ ...form, maxPerBuyer: '' }).maxPerBuyer).toBeUndefined()
  expect(schema.parse({ ...form, maxPerBuyer: '10' }).maxPerBuyer).toBe(10)
  for (const maxPerBuyer of ['0', '11', '-1', '1.5', 'x']) {
    expect(firstIssue({ ...form, maxPerBuyer })).toMatchObject({ path: ['maxPerBuyer'] })
  }
})

it('removes the limit per buyer of a live drop when the field is empty in a form or null in JSON', () => {
  const edits = [{ maxPerBuyer: '' }, { maxPerBuyer: null }, { maxPerBuyer: '3' }, { maxPerBuyer: 3 }, {}]
  expect(edits.map((edit) => editDropSchema.parse(edit).maxPerBuyer)).toEqual([null, null, 3, 3, undefined])
  expect(editDropSchema.safeParse({ maxPerBuyer: 11 }).success).toBe(false)
})

it('names every missing field in one error, which is reported at the first of them', () => {
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
])('with the files %j it names missing files together with missing fields', (files, fields, list) => {
  const issue = createDropSchema(files).safeParse(fields).error?.issues[0]
  expect(issue?.message).toBe(`Please complete required fields. ${list}`)
})

it('accepts a form that lacks only files, because createDrop() checks the plan before it reports missing files', () => {
  expect(createDropSchema([]).safeParse({ ...form, productType: 'digital' }).success).toBe(true)
})

test.each(['0', '-1', '1e3', 'NaN', '0.001', 'abc'])('price %s is invalid', (price) => {
  const issue = firstIssue({ ...form, price })
  expect(issue?.message).toBe('Invalid Price. Please enter a valid price greater than 0.')
  expect(issue?.path).toEqual(['price'])
})

test.each([
  ['0.49', 'The lowest price is $0.50. Please enter a higher one.'],
  ['1000000', 'The highest price is $999,999.99. Please enter a lower one.'],
])('price %s is out of range', (price, text) => expect(firstIssue({ ...form, price })?.message).toBe(text))

test.each(['0', '-1', '1.5', '2147483648', 'x', '1e3'])('quantity %s is invalid', (quantity) =>
  expect(firstIssue({ ...form, quantity })?.path).toEqual(['quantity']),
)

test.each(['', ' '])('a quantity that is sent as %j is invalid', (quantity) =>
  expect(firstIssue({ ...form, quantity })?.message).toBe('Quantity must be a whole number from 1 to 1,000,000.'),
)

test.each(['\u200b\u200b', '\u00ad', '\u2800', '\u3164', '\u202e\u202c', '\u00a0\ufeff', '\t\n'])(
  'a name and a description of %j count as missing',
  (text) => {
    expect(firstIssue({ ...form, title: text, description: text })?.message).toContain(
      'Missing: Product Name, Description',
    )
    expect(editDropSchema.safeParse({ description: text }).success).toBe(false)
  },
)

test.each(['🎉', '👨‍👩‍👧‍👦', 'كوب', 'a\u0301', '陶器'])('%s is a valid name', (title) =>
  expect(schema.parse({ ...form, title }).title).toBe(title),
)

test.each(['25', '0', '24.5', '96'])('duration %s is invalid', (duration) =>
  expect(firstIssue({ ...form, duration })?.path).toEqual(['duration']),
)

test.each(['javascript:alert(1)', 'http://a.b', 'https://', 'ftp://a.b/c', 'data:text/html,x'])(
  '%s is not a valid link to a file',
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

describe('the create form', () => {
  const picture = { id: 'pic_1', file: new File(['x'], 'mug.jpg'), url: 'blob:1' }
  const filled: CreateDropForm = {
    ...emptyCreateDropForm,
    idempotencyKey: 'form_1',
    title: 'Mug',
    description: 'A mug.',
    price: '24',
    images: [picture],
  }
  const digital = { ...filled, productType: 'digital' as const }
  const link = { ...digital, digitalSource: 'link' as const }
  /** Returns the first message of each field, which is the one that the form shows. */
  const errors = (typed: CreateDropForm) => {
    const issues = createDropFormSchema.safeParse(typed).error?.issues.toReversed() ?? []
    return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]))
  }

  it('reads a filled form in the same way as the call', () => {
    expect(createDropFormSchema.parse(filled)).toEqual(createDropSchema(['image0']).parse(createDropTexts(filled)))
  })

  it('reports each missing field at that field, before it checks anything else', () => {
    expect(errors({ ...emptyCreateDropForm, quantity: '0' })).toEqual({
      title: 'Product Name is missing.',
      description: 'Description is missing.',
      price: 'Price is missing.',
      images: 'Product Images are missing.',
    })
    expect(missingInForm({ ...filled, title: '\u200b' })).toEqual(['title'])
  })

  it('reports a missing digital file at the source that the seller chose', () => {
    expect(errors(digital)).toEqual({ digitalFile: 'Digital File is missing.' })
    expect(errors(link)).toEqual({ digitalFileUrl: 'Digital File is missing.' })
    // A file that was picked before the link was chosen is not sent, so the link is still missing.
    expect(errors({ ...link, digitalFile: picture.file })).toEqual({ digitalFileUrl: 'Digital File is missing.' })
    expect(errors({ ...digital, digitalFile: picture.file })).toEqual({})
    expect(errors({ ...link, digitalFileUrl: 'https://files.example/a.pdf' })).toEqual({})
  })

  it.each<[field: string, text: string, change: Partial<CreateDropForm>]>([
    ['price', 'The lowest price is $0.50. Please enter a higher one.', { price: '0.49' }],
    ['price', 'Invalid Price. Please enter a valid price greater than 0.', { price: 'abc' }],
    ['quantity', 'Quantity must be a whole number from 1 to 1,000,000.', { quantity: '' }],
    ['quantity', 'Quantity must be a whole number from 1 to 1,000,000.', { quantity: '0' }],
    ['description', 'Please keep the description to at most 5,000 characters.', { description: 'x'.repeat(5_001) }],
    ['customSlug', 'This custom link is reserved. Please choose another one.', { customSlug: 'admin' }],
  ])('refuses a wrong %s with the same text as the call: %s', (field, text, change) => {
    expect(errors({ ...filled, ...change })).toEqual({ [field]: text })
    expect(firstIssue(createDropTexts({ ...filled, ...change }))?.message).toBe(text)
  })

  it('reports a link that does not start with https://', () => {
    expect(errors({ ...link, digitalFileUrl: 'http://a.b' })).toEqual({
      digitalFileUrl: 'Please enter a link that starts with https://.',
    })
  })

  it('sends only what belongs to the chosen type', () => {
    const all = { shippingNote: 'Ships on Monday', digitalFileUrl: 'https://a.example/b', customSlug: 'mug' }
    expect(createDropTexts({ ...filled, ...all })).toEqual({
      idempotencyKey: 'form_1',
      title: 'Mug',
      description: 'A mug.',
      price: '24',
      quantity: '1',
      productType: 'physical',
      duration: '24',
      shippingNote: 'Ships on Monday',
      customSlug: 'mug',
    })
    const namesOf = (typed: CreateDropForm) => Object.keys(createDropTexts(typed))
    expect(namesOf({ ...link, ...all })).toContain('digitalFileUrl')
    expect(namesOf({ ...digital, ...all })).not.toContain('digitalFileUrl')
    expect(namesOf({ ...digital, ...all })).not.toContain('shippingNote')
  })
})

test.each([
  ['4', 'You can only increase the quantity.'],
  ['', 'Quantity must be a whole number from 1 to 1,000,000.'],
  ['1.5', 'Quantity must be a whole number from 1 to 1,000,000.'],
])('the edit form of a drop with 5 units refuses the quantity %j', (quantity, text) => {
  const typed = { description: 'A mug.', quantity, images: [] }
  expect(
    editDropFormSchema(5, { hasOption: false, isScheduled: false }).safeParse(typed).error?.issues[0],
  ).toMatchObject({ path: ['quantity'], message: text })
})

describe('the other names of the contract', () => {
  it('are refused under the name that the client sent', () => {
    const service = { ...form, productType: 'service' }
    const refusal = { message: editionTexts.noService }
    expect(firstIssue({ ...service, edition: 'numbered' })).toMatchObject({ ...refusal, path: ['edition'] })
    expect(firstIssue({ ...service, isNumbered: 'true' })).toMatchObject({ ...refusal, path: ['isNumbered'] })
    expect(firstIssue({ ...form, edition: 'open', quantity: '0' })).toMatchObject({
      path: ['quantity'],
      message: openTexts.capInvalid,
    })
  })

  it('are accepted for goods', () => expect(schema.parse({ ...form, edition: 'numbered' }).isNumbered).toBe(true))
})

const print = { title: 'Print', description: 'A print.', price: '48' }

it('isNumbered is false by default, and values other than true and false are refused', () => {
  expect(createDropFields.parse(print)).toMatchObject({ isNumbered: false })
  expect(createDropFields.parse({ ...print, isNumbered: 'true' })).toMatchObject({ isNumbered: true })
  for (const isNumbered of ['yes', '', '1']) {
    expect(createDropFields.safeParse({ ...print, isNumbered }).error?.issues).toMatchObject([
      { path: ['isNumbered'], message: 'Choose whether each unit gets a number: true or false.' },
    ])
  }
})

it('the form sends isNumbered only when it is chosen, and never for a service', () => {
  const form = { ...emptyCreateDropForm, ...print, idempotencyKey: 'key', isNumbered: true }
  expect(createDropTexts(form)).toMatchObject({ isNumbered: 'true' })
  expect(createDropTexts({ ...form, isNumbered: false })).not.toHaveProperty('isNumbered')
  expect(createDropTexts({ ...form, productType: 'service' })).not.toHaveProperty('isNumbered')
  const images = [{ id: 'one', file: new File(['x'], 'one.png'), url: 'blob:one' }]
  expect(createDropFormSchema.safeParse({ ...form, images }).success).toBe(true)
})
