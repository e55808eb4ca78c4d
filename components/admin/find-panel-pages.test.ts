import { findPanelPages } from './find-panel-pages'

test('pages and actions are found by any of their words, and an action only leads to its page', () => {
  expect(findPanelPages('PAUSE')).toEqual([
    { label: 'Pause platform', detail: 'Opens Settings', href: '/admin?tab=settings' },
  ])
  expect(findPanelPages('kill switch').map(({ label }) => label)).toEqual(['Settings', 'Pause platform'])
  expect(findPanelPages('orders stuck')[0]?.href).toBe('/admin/orders?show=stuck')
  expect(findPanelPages('nothing like this')).toEqual([])
  expect(findPanelPages(' ')).toHaveLength(8)
})
