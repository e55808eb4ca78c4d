// A header of HTTP holds ASCII only. Paths and links that people typed may contain any character.
import { seeOther } from '@/lib/http/responses'

it.each([
  ['/orders?status=paid#top', '/orders?status=paid#top'],
  ['/profile/%E2%82%AC', '/profile/%E2%82%AC'],
  ['/€?q=😀 x', '/%E2%82%AC?q=%F0%9F%98%80%20x'],
  ['/é', '/%C3%A9'],
  ['/\ud800', '/%EF%BF%BD'],
  ['/.//evil.example', '/.//evil.example'],
  ['https://files.example/прайс.zip?a=1', 'https://files.example/%D0%BF%D1%80%D0%B0%D0%B9%D1%81.zip?a=1'],
  ['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
  ['https://files.example/a\nb', 'https://files.example/ab'],
])('redirects to %j', (location, header) => {
  expect(seeOther(location).headers.get('location')).toBe(header)
})
