import { linkLabel, readLink, splitLinks } from './rules'

test.each([
  ['instagram.com/juno', 'https://instagram.com/juno'],
  ['  https://www.juno.example/shop?x=1#top ', 'https://www.juno.example/shop?x=1#top'],
  ['HTTPS://Juno.Example', 'https://juno.example/'],
  // A name in Cyrillic letters that look like "apple" is stored in its ASCII form.
  ['https://аррӏе.example', 'https://xn--80ak6aa92e.example/'],
])('%s is stored as %s', (typed, stored) => expect(readLink(typed)).toBe(stored))

test.each([
  'http://juno.example',
  'javascript:alert(1)',
  'data:text/html,hello',
  'mailto:juno@example.com',
  'https://juno@example.com',
  'https://juno:secret@example.com',
  'https://example.com:8443',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://[::1]/',
  'https://-example.com',
  'https://example..com',
  'hello world',
  'instagram',
  '',
  'https://example.com/\u0000',
  `https://example.com/${'a'.repeat(200)}`,
])('%j is not a link', (typed) => expect(readLink(typed)).toBeNull())

test.each([
  ['https://www.instagram.com/juno/', 'instagram.com/juno'],
  ['https://juno.example/?to=evil.example', 'juno.example?to=evil.example'],
])('%s is shown as %s', (link, label) => expect(linkLabel(link)).toBe(label))

test('each line of the field is one link, and empty lines do not count', () => {
  expect(splitLinks(' a.example \r\n\n b.example\n')).toEqual(['a.example', 'b.example'])
})
