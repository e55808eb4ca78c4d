import { nameOfFilter } from './saved-filters'

test('a saved filter is named after its list and its values, and an unfiltered list has no name', () => {
  expect(nameOfFilter('Users', '?tab=users&show=suspended&q=mia')).toBe('Users: suspended, “mia”')
  expect(nameOfFilter('Orders', '?show=stuck&before=x')).toBe('Orders: stuck')
  expect(nameOfFilter('Drops', '?tab=drops&show=all&type=all&q=')).toBeNull()
})
