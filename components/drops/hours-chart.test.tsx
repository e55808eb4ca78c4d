import { renderToStaticMarkup } from 'react-dom/server'
import { HoursChart } from './hours-chart'

it('draws nothing for a drop that has not started, and lines for a drop that has started', () => {
  const serverTime = '2026-11-23T12:00:00.000Z'
  const draw = (hours: Parameters<typeof HoursChart>[0]['hours']) =>
    renderToStaticMarkup(<HoursChart hours={hours} serverTime={serverTime} />)
  expect(draw([])).toBe('')
  const hour = { at: '2026-11-23T10:00:00.000Z', views: 3, taps: 1, holds: 1, paid: 1 }
  expect(draw([hour])).toContain('<path d="M')
})
