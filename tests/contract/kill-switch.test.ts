import { readFileSync } from 'node:fs'
import { actions, calls, pages } from '@/tests/support/route-table'

// docs/product.md#kill-switch lists what stays open while the platform is paused. This test compares the list with the
// route table, which tests/integration/server/route-table.test.ts compares with the code.

/** The routes that stay open, by the words of the section that stand for them. */
const OPEN: Record<string, RegExp> = {
  'logging in and out':
    /^(?:[A-Z]+ \/api\/(?:login|auth\/(?:login|logout|passkey|passkey-options|two-factor|\[\.\.\.nextauth\]))|\/(?:login|two-factor)|POST \/(?:login|two-factor)\/send)$/,
  'forgotten passwords and usernames':
    /(?:^|POST \/api\/auth)\/(?:forgot-password|forgot-username|reset-password)$|^POST \/(?:forgot-password|forgot-username|reset-password)\/send$/,
  'confirming an email address': /\/confirm-email(?:\/send)?$/,
  'legal pages': /^\/(?:privacy-policy|terms-of-service|prohibited-content)$/,
  'Find my order': /\/find-order(?:\/send)?$/,
  'order pages with receipts': /^\/o\/\[token\](?:\/receipt)?$/,
  files: /\/o\/\[token\]\/(?:download|file)$/,
  keys: /\/o\/\[token\]\/keys$/,
  messages: /\/o\/\[token\]\/write$/,
  'addresses and answers about late parcels': /\/o\/\[token\]\/(?:address|undo-address|delay)$/,
  'confirming arrival': /\/o\/\[token\]\/arrived$/,
  'the reminder to arrange a service': /\/o\/\[token\]\/reminder\.ics$/,
  "confirming and leaving a waitlist or a seller's list":
    /^POST \/api\/(?:follow|waitlist)\/(?:confirm|leave)$|^\/follow\/\[step\]$/,
  'the summary of a paid order': /\/api\/order\/\[sessionId\]$|^\/success-payment$|^\/payment-success-breakdown$/,
  'coming back from Stripe without paying': /\/drop\/\[identifier\]\/cancel$/,
  'releasing the units of a closed wallet sheet': /\/api\/checkout\/wallet\/cancel$/,
  'the orders of a seller with shipping, refunds and disputes': /^\/orders(?:[ /].*)?$/,
  'the payout statement': /\/payouts\/statement\.csv$/,
  'the tax report': /\/payouts\/taxes\.csv$/,
  'connecting payouts': /\/api\/payouts\/connect$/,
  'finishing, canceling and refunding Pro': /\/api\/subscription\/(?:finish|cancel|money-back)$/,
  "Stripe's billing page": / \/billing$/,
  exports: /\/export(?:\.csv)?$|\/evidence\.txt$/,
  'uploaded pictures': / \/media\//,
  'the page that browsers show when they are offline': / \/offline$/,
  'reports of the content security policy': /\/api\/csp-report$/,
  webhooks: /\/api\/(?:webhooks\/stripe|uploadthing)$/,
  'scheduled calls': /\/api\/cron\/archive$/,
  metrics: /\/api\/metrics$/,
  health: /\/api\/health$/,
  'the sandbox': /(?:^| )(?:\/api)?\/sandbox\//,
  'An unknown call': /\/api\/\[\[\.\.\.unknown\]\]$/,
  'change the password': /^\/account (?:changePassword|stepUp)Action$/,
  'two-factor sign-in': /^\/account (?:startTwoFactor|confirmTwoFactor|turnOffTwoFactor|renewRecoveryCodes)Action$/,
  passkeys: /^\/account \w*Passkey\w*Action$/i,
  devices: /^\/account end(?:Device|OtherDevices)Action$/,
  'delete the account': /^\/account deleteAccountAction$/,
}

const [, section = ''] = readFileSync('docs/product.md', 'utf8').replace(/\s+/g, ' ').split('### Kill switch')
const list = section.slice(section.indexOf('These stay open:'), section.indexOf('Unpaid checkouts are closed'))

const open = Object.entries({ ...calls, ...pages, ...actions })
  .filter(([, row]) => /\+open$|^machine$|^stand-in$/.test(row))
  .map(([what]) => what)

test('the section names everything that stays open', () => {
  expect(open.length).toBeGreaterThan(80)
  expect(open.filter((what) => !Object.values(OPEN).some((pattern) => pattern.test(what)))).toEqual([])
  expect(Object.keys(OPEN).filter((words) => !list.includes(words))).toEqual([])
})

test('everything that the section names stays open', () => {
  const isOpen = (pattern: RegExp) => open.some((what) => pattern.test(what))
  expect(Object.entries(OPEN).flatMap(([words, pattern]) => (isOpen(pattern) ? [] : [words]))).toEqual([])
})

test.each(Object.entries(OPEN))('no route that "%s" stands for is closed', (_words, pattern) => {
  const closed = Object.keys({ ...calls, ...pages, ...actions }).filter((what) => !open.includes(what))
  expect(closed.filter((what) => pattern.test(what))).toEqual([])
})

test('the list of the section ends where it begins to speak of checkouts', () => {
  expect(list.length).toBeGreaterThan(500)
  expect(list).toMatch(/delete the account\. $/)
})
