import { readFileSync } from 'node:fs'
import { CONNECT_EVENTS, PLATFORM_EVENTS } from '@/lib/kernel/stripe-events.mjs'

// Operators select the events of their two endpoints from the table in docs/stripe.md. Stripe sends only the selected
// events, so the table must have exactly those that the application handles.
const rows = readFileSync('docs/stripe.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))

it.each([
  ['platform', PLATFORM_EVENTS, 'STRIPE_WEBHOOK_SECRET'],
  ['Connect', CONNECT_EVENTS, 'STRIPE_CONNECT_WEBHOOK_SECRET'],
])("docs/stripe.md lists exactly the events of the endpoint '%s'", (endpoint, events, secret) => {
  const [[, , , named = '', variable] = [], ...others] = rows.filter(([, name]) => name === endpoint)
  expect(others).toEqual([])
  expect(named.split(', ')).toEqual(events.map((event) => `\`${event}\``))
  expect(variable).toBe(`\`${secret}\``)
})
