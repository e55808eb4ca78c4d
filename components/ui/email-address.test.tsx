import { renderToStaticMarkup } from 'react-dom/server'
import { EmailAddress } from './email-address'

it.each([
  ['bea@example.com', 'bea<wbr/>@example.<wbr/>com'],
  ['ada.mill+mugs@mail.example.org', 'ada.<wbr/>mill+<wbr/>mugs<wbr/>@mail.<wbr/>example.<wbr/>org'],
])('%s can only break where a person would break it', (address, html) => {
  expect(renderToStaticMarkup(<EmailAddress>{address}</EmailAddress>)).toBe(html)
})
