import type { MailContent } from '@/lib/notifications/compose-mail'
import { mailHtml } from '@/lib/notifications/mail-html'
import { renderTemplate } from '@/lib/notifications/render-template'

const plain: MailContent = { preview: 'Short', heading: 'Thank you', paragraphs: ['One.'] }
const full: MailContent = {
  preview: 'A <b> & "c"',
  heading: `It's <i>yours</i> & "theirs"`,
  paragraphs: ['First.\nSecond line.', '', '$1 $& \\ {0} 😀 手作り', '<script>alert(1)</script>'],
  facts: [
    ['Order', 'A&B'],
    ['Ship to', 'Bea\n1 Main St <rear>\nReno'],
  ],
  button: { label: 'See <order>', url: 'https://shop.test/order?a=1&b="2"' },
  footer: 'Bye & "thanks"',
  support: 'Questions? Write to <support@shop.test> & ask.',
  helpUrl: 'https://shop.test/help?x=<1>',
  photo: { url: 'https://shop.test/media/a-480.webp?a=1&b="2"', alt: 'Mug "No. 4" <blue>' },
  unsubscribe: { pageUrl: 'https://shop.test/stop?a=1&b=2', postUrl: 'https://shop.test/api/stop' },
}
const { facts: _facts, button: _button, ...short } = full

/** Removes the invisible characters after the preview. Their number depends on the length of the preview. */
const withoutPadding = (html: string) => html.replace(/<div>[^<>]*\u200C[^<>]*<\/div>/, '')

it.each<[string, MailContent]>([
  ['only a heading and a paragraph', plain],
  ['everything that an email can have', full],
  ['neither facts nor a button', short],
  ['a list without entries', { ...plain, facts: [] }],
  [
    'other texts in a shape that was rendered before',
    { ...plain, preview: 'Long', heading: 'Sorry', paragraphs: ['Two.'] },
  ],
])('the result is the same as if the template were rendered with the texts: %s', async (_name, content) => {
  const filled = await mailHtml({ html: null, content })
  expect(withoutPadding(filled)).toBe(withoutPadding(await renderTemplate(content)))
  expect(filled).not.toMatch(/[\uE000\uE001]/)
})

it('has dark colors for programs that follow the setting of the device, and light ones for all others', async () => {
  const html = await mailHtml({ html: null, content: full })
  expect(html).toContain('<meta name="color-scheme" content="light dark"')
  const [, dark = ''] = /@media \(prefers-color-scheme: dark\) \{([^]*?)\n\}/.exec(html) ?? []
  const named = [...dark.matchAll(/\.(\w+) \{/g)].map(([, name]) => name!)
  expect(named.length).toBeGreaterThan(4)
  for (const name of named) expect(html).toMatch(new RegExp(`class="[^"]*\\b${name}\\b`))
  expect(html).toContain('background:#ffffff')
})

it('has less than 100 KB, above which Gmail cuts an email, even when it has twenty long paragraphs', async () => {
  const paragraphs = Array.from({ length: 20 }, () => 'A sentence that a seller wrote. '.repeat(60))
  const html = await mailHtml({ html: null, content: { ...full, paragraphs } })
  expect(Buffer.byteLength(html)).toBeLessThan(100 * 1024)
})

it('cuts a long preview between two characters, and not in the middle of an emoji', async () => {
  const filled = await mailHtml({ html: null, content: { ...plain, preview: `${'a'.repeat(199)}😀 and more` } })
  expect(filled).toContain(`${'a'.repeat(199)}😀`)
  expect(filled).not.toContain('and more')
})

it('returns the stored HTML of an email, or an empty string for an email without HTML and content', async () => {
  expect(await mailHtml({ html: '<p>sent</p>', content: full })).toBe('<p>sent</p>')
  expect(await mailHtml({ html: null, content: null })).toBe('')
})
