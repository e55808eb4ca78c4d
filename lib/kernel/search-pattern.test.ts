import { searchPattern } from './search-pattern'

test('searches for words as typed: wildcards are escaped', () => {
  expect(searchPattern('  @Mira ')).toEqual({ words: 'mira', pattern: '%mira%' })
  expect(searchPattern('50%_\\')).toEqual({ words: '50%_\\', pattern: '%50\\%\\_\\\\%' })
  expect(searchPattern(' \n ')).toBeNull()
})
