import { waitPage } from '@/lib/http/plain-forms/wait-page'
import { checkoutError } from '@/lib/checkout/messages'
import { buyFormSchema } from '@/lib/checkout/schema'

const work = `${Buffer.from('{"id":"x"}').toString('base64url')}.${'a'.repeat(40)}`

it('the page says how long to wait, and its button sends the same order again with the token of the proof of work', async () => {
  const answer = waitPage(
    checkoutError('WORK_NEEDED', { work, retryAfterSeconds: 7 }),
    { quantity: 2, code: 'FRIENDS', early: 'abc' },
    '/drop/low-sun',
  )
  const page = await answer.text()
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
  expect(page).toContain('Please wait 7 seconds, then tap the button.')
  expect(page).toContain('<form method="post" action="/drop/low-sun/buy">')
  const fields = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
  const sent = Object.fromEntries(fields.map(([, name, value]) => [name, value]))
  expect(buyFormSchema.parse(sent)).toEqual({ quantity: 2, code: 'FRIENDS', early: 'abc', work })
  // The way back keeps the follower's link.
  expect(page).toContain('<a href="/drop/low-sun?early=abc">')
})

it.each(['x', `${work}.`, `${work}.1.2`, 'a'.repeat(700), `${work}<script>`])(
  'the form refuses %j as a proof of work',
  (wrong) => {
    expect(buyFormSchema.safeParse({ quantity: '1', work: wrong }).success).toBe(false)
  },
)
