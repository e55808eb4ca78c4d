import { renderToStaticMarkup } from 'react-dom/server'
import { termsSections } from './terms-sections'

const textOf = (id: string) => {
  const section = termsSections.find((one) => one.id === id)
  return renderToStaticMarkup(<>{section?.body}</>)
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#x27;', "'")
    .replace(/\s+/g, ' ')
}

it.each([
  [
    'drops',
    ['30 days ahead', 'gives them early access', 'lowering the cap of an open edition', 'before the first sale'],
  ],
  [
    'buying',
    [
      'a surcharge for your country',
      'is in another country, we refund you',
      'A discount code belongs to one drop',
      'limit how many units one buyer can have',
      'personal link works for one order',
      'change the shipping address',
    ],
  ],
  [
    'payouts',
    ['orders worth up to $1,000 a calendar month', 'ship only within your own country', 'we keep it from your payout'],
  ],
])('the section %s of the terms states the current rules', (id, parts) => {
  for (const part of parts) expect(textOf(id)).toContain(part)
})

it('the terms do not say that units can only be added', () => {
  expect(textOf('drops')).not.toContain('can only be increased')
})
