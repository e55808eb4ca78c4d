import { searchPattern } from './search-pattern'

test('the pattern contains the words in lower case, with wildcards escaped, and a blank search has no pattern', () => {
  expect(searchPattern('  @Mira ')).toEqual({ words: 'mira', pattern: '%mira%' })
  expect(searchPattern('50%_\\')).toEqual({ words: '50%_\\', pattern: '%50\\%\\_\\\\%' })
  expect(searchPattern(' \n ')).toBeNull()
})
