import { traderTexts } from './messages'
import { rateLine } from './rules'
import { readTaxRates, sellerDetailsSchema, taxRatesSchema } from './schema'

const business = {
  kind: 'business',
  country: 'DE',
  legalName: ' Juno Prints GmbH ',
  address: 'Lange Straße 1\r\n\r\n 10115 Berlin ',
  email: 'hello@juno.example',
  phone: '+49 30 123456',
  register: 'Amtsgericht Berlin, HRB 12345',
  vatId: 'DE123456789',
  isCertified: true,
}
const problems = (given: object) =>
  sellerDetailsSchema.safeParse(given).error?.issues.map(({ path, message }) => [path.join('.'), message])

it('trims what a business states, and keeps the lines of its address', () =>
  expect(sellerDetailsSchema.parse(business)).toMatchObject({
    legalName: 'Juno Prints GmbH',
    address: 'Lange Straße 1\n10115 Berlin',
  }))

it('asks a business for everything that buyers have to be shown', () =>
  expect(problems({ ...business, legalName: ' ', address: '', email: '', isCertified: false })).toEqual([
    ['legalName', traderTexts.legalNameMissing],
    ['address', traderTexts.addressMissing],
    ['email', traderTexts.emailMissing],
    ['isCertified', traderTexts.certifyMissing],
  ]))

it('asks a private person for a country only', () => {
  const empty = { legalName: '', address: '', email: '', phone: '', register: '', vatId: '', isCertified: false }
  expect(problems({ kind: 'private', country: 'FR', ...empty })).toBeUndefined()
  expect(problems({ kind: 'private', country: 'XX', ...empty })).toEqual([['country', traderTexts.countryMissing]])
})

it.each([
  ['kind', 'company', traderTexts.kindMissing],
  ['legalName', 'See https://evil.example', traderTexts.oneLine],
  ['legalName', 'Juno\u202eHbmG', traderTexts.oneLine],
  ['legalName', 'a'.repeat(121), traderTexts.tooLong(120)],
  ['address', '1\n2\n3\n4\n5\n6', traderTexts.fewLines],
  ['address', 'www.evil.example', traderTexts.fewLines],
  ['email', 'hello', traderTexts.emailInvalid],
  ['phone', 'call me', traderTexts.phoneInvalid],
])('refuses %s %j', (name, value, text) => expect(problems({ ...business, [name]: value })).toEqual([[name, text]]))

it('refuses unknown fields', () => expect(problems({ ...business, isVerified: true })).toHaveLength(1))

describe('the VAT rates', () => {
  it('are read one per line', () =>
    expect(readTaxRates('de 19\n\nFR: 5,5\r\nCH 8.1%')).toEqual([
      { country: 'DE', rateBps: 1900, fromDay: '' },
      { country: 'FR', rateBps: 550, fromDay: '' },
      { country: 'CH', rateBps: 810, fromDay: '' },
    ]))

  it('can change on a day', () => {
    const typed = 'DE 19\nDE 20,5 from 2027-01-01'
    const rates = [
      { country: 'DE', rateBps: 1900, fromDay: '' },
      { country: 'DE', rateBps: 2050, fromDay: '2027-01-01' },
    ]
    expect(readTaxRates(typed)).toEqual(rates)
    expect(readTaxRates(rates.map(rateLine).join('\n'))).toEqual(rates)
  })

  it('may be empty', () => expect(readTaxRates(' \n ')).toEqual([]))

  it.each([
    ['DE', traderTexts.rateLine],
    ['XX 19', traderTexts.rateLine],
    ['DE 99', traderTexts.rateLine],
    ['DE 19\nde 7', traderTexts.rateTwice('DE')],
    ['DE 19 from 2027-01-01\nDE 7 from 2027-01-01', traderTexts.rateTwice('DE')],
    ['DE 19 from 2027-02-30', traderTexts.rateLine],
    ['DE 19 from May', traderTexts.rateLine],
  ])('%j is refused', (typed, text) => {
    expect(readTaxRates(typed)).toBe(text)
    expect(taxRatesSchema.safeParse({ rates: typed }).error?.issues[0]?.message).toBe(text)
  })
})
