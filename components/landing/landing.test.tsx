import { renderToStaticMarkup } from 'react-dom/server'
import type { DropView } from '@/lib/drops/view'
import { Landing } from './landing'

const drop = (id: number) =>
  Object.assign({} as DropView, {
    id,
    identifier: `drop-${id}`,
    title: `Drop ${id}`,
    productType: 'physical',
    priceCents: 2_000,
    shippingZones: null,
    quantity: 12_000,
    available: 1_999,
    images: [],
    user: { username: 'mira' },
    startedAt: '2026-11-23T12:00:00.000Z',
    endTime: '2026-11-24T12:00:00.000Z',
    serverTime: '2026-11-23T13:00:00.000Z',
  })

it.each([0, 1, 2, 3])('"Browse Other Drops" finds the live drops on the landing page with %i of them', (count) => {
  const page = renderToStaticMarkup(<Landing drops={Array.from({ length: count }, (_, at) => drop(at + 1))} />)
  expect(page.split('id="live"')).toHaveLength(2)
  const below = page.slice(page.indexOf('id="live"'))
  expect(below).toContain(count === 0 ? 'Nothing is live right now' : `Drop ${Math.min(count, 2)}`)
})

it('writes the units left with thousands separators', () => {
  expect(renderToStaticMarkup(<Landing drops={[drop(1)]} />)).toContain('1,999 of 12,000 left')
})
