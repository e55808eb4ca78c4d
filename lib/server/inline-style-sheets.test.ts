import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inlineStyleSheets, withoutStyleSheets } from './inline-style-sheets.mjs'

const build = mkdtempSync(path.join(tmpdir(), 'lastcall-build-'))
const folder = path.join(build, 'static', 'chunks')
mkdirSync(folder, { recursive: true })
writeFileSync(
  path.join(folder, 'a.css'),
  '@font-face{src:url(../media/b.woff2)}p{background:url("data:image/png;base64,x")}',
)
writeFileSync(path.join(folder, 'bad.css'), 'p::after{content:"</style><script>alert(1)</script>"}')
writeFileSync(path.join(build, 'secret.css'), 'p{}')
afterAll(() => rmSync(build, { recursive: true }))

const linkOf = (name: string) =>
  `<link rel="stylesheet" href="/_next/static/${name}.css" nonce="" data-precedence="next"/>`
const page = (name: string) => `<html><head>${linkOf(name)}</head><body></body></html>`

it('puts the style sheet into the page, and keeps its link for React, disabled', () => {
  expect(inlineStyleSheets(page('chunks/a'), build)).toBe(
    '<html><head><link rel="stylesheet" href="/_next/static/chunks/a.css" nonce="" data-precedence="next" type="text/plain" disabled=""/>' +
      '<style>@font-face{src:url(/_next/static/media/b.woff2)}p{background:url("data:image/png;base64,x")}</style>' +
      '</head><body></body></html>',
  )
})

it.each(['chunks/missing', 'chunks/bad', '../secret', 'chunks/../../secret'])(
  'leaves a page with the style sheet %s as it was',
  (name) => expect(inlineStyleSheets(page(name), build)).toBe(page(name)),
)

it('removes only style sheets that the page contains from the Link header', () => {
  const font = '</_next/static/media/a.woff2>; rel=preload; as="font"; crossorigin=""; type="font/woff2"'
  const style = '</_next/static/chunks/a.css>; rel=preload; as="style"; nonce="x"'
  const inlined = inlineStyleSheets(page('chunks/a'), build)
  expect(withoutStyleSheets(`${font}, ${style}`, inlined)).toBe(font)
  expect(withoutStyleSheets(`${style}, ${font}`, inlined)).toBe(font)
  expect(withoutStyleSheets(style, inlined)).toBe('')
  expect(withoutStyleSheets(`${style}, ${font}`, page('chunks/a'))).toBe(`${style}, ${font}`)
})
