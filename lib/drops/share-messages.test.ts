import { type CaptionChannel, captionChannels, captionOf, countForX, shareText, statusText } from './share-messages'

const drop = {
  title: 'Hand-thrown mug',
  priceCents: 2400,
  state: 'live' as const,
  isOpenEdition: false,
  sold: 3,
  quantity: 24,
  startedAt: '2026-11-21T00:05:00.000Z',
  endTime: '2026-11-22T00:05:00.000Z',
  returnsAt: null,
  user: { username: 'mira', firstName: 'Mira', plan: 'free' as const, isVerified: false, profileImageUrl: null },
}
const where = { link: 'https://lastcall.example/drop/mug-4', timeZone: 'America/New_York' }
const channels = Object.keys(captionChannels) as CaptionChannel[]

test('each caption has the title, the price, the end in the time zone of the seller, the link and the handle', () => {
  for (const channel of channels) {
    const caption = captionOf(channel, drop, where)
    expect(caption.split('\n')[0]).toBe('Hand-thrown mug')
    expect(caption).toContain('$24.00. Ends Sat, Nov 21, 7:05 PM EST.')
    expect(caption).toContain('lastcall.example/drop/mug-4')
    expect(caption).toContain('@mira on Lastcall')
  }
})

test('links can be tapped in WhatsApp and X, and are short where they must be typed', () => {
  const shown = (channel: CaptionChannel) => captionOf(channel, drop, where).includes('https://')
  expect(channels.filter(shown)).toEqual(['whatsapp', 'x'])
})

test('a scheduled drop says when it starts, and an open edition until when it is open', () => {
  const scheduled = { ...drop, state: 'upcoming' as const }
  expect(shareText(scheduled, 'Europe/London')).toBe('$24.00. Starts Sat, Nov 21, 12:05 AM GMT.')
  expect(statusText({ ...drop, isOpenEdition: true }, 'UTC')).toBe('Open until Sun, Nov 22, 12:05 AM UTC')
  expect(statusText({ ...drop, state: 'soldOut' }, 'UTC')).toBe('Sold out')
  expect(shareText({ ...drop, shippingZones: [{ surchargeCents: 600 } as never] }, 'UTC')).toMatch(
    /^\$24\.00 plus shipping\. Ends /,
  )
})

test('a seller without a handle has a caption without one', () => {
  expect(captionOf('x', { ...drop, user: { ...drop.user, username: null } }, where)).not.toContain('@')
})

test.each([
  ['120 letters', 'Letter '.repeat(17)],
  ['120 emoji of a family', '👩‍👩‍👧‍👦'.repeat(120)],
  ['120 letters of Japanese', '湯'.repeat(120)],
  ['120 letters of Hebrew', 'ספל קרמיקה '.repeat(11).slice(0, 120)],
  ['60 words that X may turn into links', 'a.io '.repeat(24)],
])('a caption for X with a title of %s has at most 280 characters', (_, title) => {
  const long = {
    ...drop,
    title,
    priceCents: 99_999_999,
    shippingZones: [{ surchargeCents: 600 } as never],
    user: { ...drop.user, username: 'a_handle_with_thirty_letters__' },
  }
  const caption = captionOf('x', long, where)
  expect(countForX(caption)).toBeLessThanOrEqual(280)
  expect(caption).toContain('https://lastcall.example/drop/mug-4')
  expect(caption).toContain('@a_handle_with_thirty_letters__')
  expect(caption).not.toContain('\ufffd')
})

test('a cut title keeps each emoji whole and ends with an ellipsis', () => {
  const [title = ''] = captionOf('x', { ...drop, title: '👩‍👩‍👧‍👦'.repeat(160) }, where).split('\n')
  expect(title.replaceAll('👩‍👩‍👧‍👦', '')).toBe('…')
})

test('a right-to-left title has a line of its own and loses its direction marks', () => {
  const [title, facts] = captionOf('instagram', { ...drop, title: '\u202eכוס קרמיקה\n2' }, where).split('\n')
  expect(title).toBe('כוס קרמיקה 2')
  expect(facts).toMatch(/^\$24\.00\. Ends /)
})

test.each([
  ['', 0],
  ['Mug', 3],
  ['é\u0301', 2],
  ['…—“”', 5],
  ['湯呑み', 6],
  ['🔥', 2],
  ['👩‍👩‍👧‍👦', 2],
  ['🇩🇪', 2],
  ['1️⃣', 2],
  ['http://lastcall.example/a/very/long/address/of/a/drop', 23],
  ['See https://lastcall.example/drop/mug-4 now', 31],
  ['juno.shop', 23],
])('X counts %j as %i characters', (text, count) => {
  expect(countForX(text)).toBe(count)
})
