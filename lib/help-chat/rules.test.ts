import { buyerAnswers, helpAnswers, type HelpTopic } from './answer-messages'
import { helpChatTexts } from './messages'
import { canSend, replyTo, topicOf } from './rules'

const questions: [HelpTopic, string][] = [
  ['security', 'What is the admin password?'],
  ['security', 'give me your API key'],
  ['security', 'show me the server tokens'],
  ['contentPolicy', 'What can I sell? Are knives allowed?'],
  ['contentPolicy', 'is it ILLEGAL'],
  ['scanner', 'How does the AI scanner work?'],
  ['scanner', 'my drop was flagged'],
  ['account', 'How do I sign up?'],
  ['account', 'How do I delete my account?'],
  ['account', 'change my username'],
  ['creating', 'How do I create a drop?'],
  ['creating', 'How many photos can I upload?'],
  ['creating', 'Can I sell different sizes?'],
  ['creating', 'Can I sell a shirt in three colors?'],
  ['contentPolicy', 'Can I sell knives of all sizes?'],
  ['plans', 'How much is Pro per month?'],
  ['plans', 'pricing'],
  ['payments', 'What fees do you take?'],
  ['payments', 'When do I get paid?'],
  ['payments', 'Can I pay by card?'],
  ['sharing', 'Where do I find my link?'],
  ['sharing', 'How do I unsubscribe from a seller?'],
  ['sharing', 'Where is my newsletter?'],
  ['duration', 'How long does it last?'],
  ['duration', 'countdown'],
  ['analytics', 'Where are my analytics?'],
  ['deleting', 'delete a drop'],
  ['productTypes', 'digital products'],
  ['keys', 'Where is my license key?'],
  ['keys', 'ticket codes'],
  ['keys', 'Where is my key'],
  ['keys', 'my key does not work'],
  ['keys', 'How do I sell license keys'],
  ['security', 'where is your secret key'],
  ['security', 'I want a refund and the admin password'],
  ['security', 'Remind me of the server token, please'],
  ['security', 'Where is my order? And what is your database password?'],
  ['security', 'I lost my API key'],
  ['earlyAccess', 'How does early access work?'],
  ['earlyAccess', 'my early link says it is used'],
  ['limitPerBuyer', 'limit per buyer'],
  ['limitPerBuyer', 'How many can I buy?'],
  ['sellerLimit', "I reached this month's limit for new sellers"],
  ['sellerLimit', 'Why is there a monthly limit?'],
  ['sellerLimit', 'unverified sellers'],
  ['sellerLimit', 'How much can I sell?'],
  ['waitlist', 'waitlist'],
  ['waitlist', 'remind me'],
  ['waitlist', 'How do I claim a unit?'],
  ['address', 'change my address'],
  ['address', 'I gave the wrong address'],
  ['account', 'change my email address'],
  ['shippingCost', 'How much is shipping'],
  ['shippingCost', 'do you ship to Germany?'],
  ['recap', 'Where is my recap?'],
  ['recap', 'How many people are waiting?'],
  ['sellerDetails', 'Where do I state my business details?'],
  ['sellerDetails', 'Can I sell as a business?'],
  ['sellerDetails', 'Where is my tax report?'],
  ['sellerDetails', 'Which company sells this?'],
  ['start', 'Can I reschedule my drop?'],
  ['start', 'cancel the start'],
  ['plans', 'How do I cancel?'],
  ['productTypes', 'Do you have services?'],
  ['errors', 'It doesn’t work'],
  ['errors', 'something is broken'],
  ['general', 'hello'],
  ['general', 'What about my keyboard?'],
  ['general', '👋'],
]

test.each(questions)('the topic %s answers "%s"', (topic, question) => {
  expect(topicOf(question)).toBe(topic)
  expect(replyTo(question)).toBe(helpAnswers[topic])
})

// What buyers ask about an order, in their own words. Many of these sentences contain a word of a wide topic, such as
// "cancel", "tracking" or "email".
const buyersQuestions: Partial<Record<HelpTopic, string[]>> = {
  orderStatus: [
    'where is my order?',
    "Where's my order",
    'I can’t find my order',
    'how do I see my orders',
    'order status',
    'I lost the link to my order',
    'where is my download',
    'how do I download it',
    'I bought something yesterday',
  ],
  tracking: [
    'where is my tracking number',
    'my package has not arrived',
    "my order hasn't arrived yet",
    'my order didnt arrive',
    'It never came',
    'how do I track my order',
    'Track my parcel',
    'when will my order ship?',
    'when does it arrive',
    'has my order shipped',
    "I haven't received my order",
    'I did not get my package',
    'nothing has arrived',
    'my order is late',
    'how long does shipping take',
    'lost in the mail',
  ],
  refund: [
    'I want my money back',
    'can I get my money back?',
    'I want a refund',
    'how do refunds work',
    'Can I claim a refund?',
    'how do i return this',
    'can I return my order',
    'what is the return policy',
    'I want to send it back',
    'it arrived broken',
    'my mug came damaged',
    'I got the wrong size',
    'the wrong item was in the box',
    'it is not as described',
    "The shirt doesn't fit",
    'my order never arrived, I want a refund',
  ],
  cancelOrder: [
    'how do i cancel my order',
    'Cancel order',
    'can I cancel a purchase?',
    'I ordered by mistake',
    'I bought this one by accident',
    'I changed my mind',
    "I don't want it anymore",
  ],
  contactSeller: [
    'how do i contact the seller',
    'I want to message the seller',
    'How can I write to the seller?',
    "what is the seller's email",
    'I have a question for the seller',
    'the seller does not answer',
    'seller is not responding',
    'The seller didn’t reply',
  ],
  noEmail: [
    'i did not get an email',
    "I didn't get a receipt",
    'I never received a confirmation email',
    'no email',
    'The email has not arrived',
    'where is my receipt',
    'I need an invoice',
    'I lost my receipt',
    'I typed the wrong email',
  ],
  paymentFailed: [
    'my card was declined',
    'payment failed',
    "the payment didn't go through",
    'I was charged twice',
    'I paid but nothing happened',
    'I paid and have no order',
  ],
  safety: ['Is it safe to pay?', 'is this a scam', 'is this site legit', 'is paying here safe'],
  support: ['how do I contact you', 'can I talk to a human', 'customer service', 'contact support'],
  address: ['can I change the address of my order'],
  codes: [
    'Where do I enter my discount code?',
    "My discount code doesn't work",
    'can I use a promo code',
    'the code is not valid',
  ],
  keys: ['I did not get my key'],
  earlyAccess: ['I got no email with my early link'],
  plans: [
    'I want a refund for Pro',
    'how do I cancel my Pro plan',
    'cancel my subscription',
    'can my subscription be refunded',
    'Is there a money-back guarantee?',
  ],
  account: ['change my email', 'How do I sign in without an order?'],
  payments: ['When do I get my payout', 'what is taken off each order'],
  analytics: ['turn off analytics tracking'],
}

test.each(Object.entries(buyersQuestions).flatMap(([topic, list]) => list.map((question) => [topic, question])))(
  'a buyer gets the topic %s for "%s"',
  (topic, question) => expect(topicOf(question)).toBe(topic),
)

/** How many characters a line of a reply may have. Longer ones are hard to read in the narrow panel. */
const LONGEST_LINE = 190

test.each(Object.entries(helpAnswers))('the answer about %s is a short first line and a few short ones', (_, reply) => {
  const lines = reply.split('\n')
  expect(lines.length).toBeLessThanOrEqual(6)
  expect(lines[0]!.length).toBeLessThanOrEqual(140)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(LONGEST_LINE)
})

test('an answer for buyers starts with their next step, and leads to a page', () => {
  for (const topic of Object.keys(buyerAnswers) as (keyof typeof buyerAnswers)[]) {
    expect(buyerAnswers[topic]).toMatch(/\/find-order/)
    expect(buyerAnswers[topic]).not.toMatch(/^(Selling|Sellers)|fee/)
  }
  expect(buyerAnswers.refund).toContain('/terms-of-service#refunds')
})

// These buyers use a word that also belongs to attempts to get secrets, and they must not be refused.
test.each([
  "my steam key hasn't arrived",
  'my order has no key',
  'I got a server error and was charged twice',
  "my ginger root order hasn't arrived",
  'the admin did not answer, I want a refund',
  'I cleared my cookies and lost my order',
  'Can I return the root beer?',
])('a buyer is not refused for "%s"', (question) => expect(topicOf(question)).not.toBe('security'))

// Each question has words of at least two topics. The topic that is checked first answers the question
// (docs/product.md#help-chat).
test.each<[HelpTopic, string]>([
  ['security', 'is sharing my password prohibited'],
  ['contentPolicy', 'why did the scanner say it is prohibited'],
  ['scanner', 'the scanner blocked my account'],
  ['account', 'create an account'],
  ['creating', 'what does creating a drop cost, which plan'],
  ['plans', 'is the fee lower on the pro plan'],
  ['payments', 'share the payment link'],
  ['sharing', 'when does my link expire'],
  ['duration', 'analytics of an expired one'],
  ['analytics', 'delete the analytics'],
  ['deleting', 'remove a digital one'],
  ['productTypes', 'a digital one has an error'],
])('the topic %s is checked first and answers "%s"', (topic, question) => expect(topicOf(question)).toBe(topic))

test('an error while the answer is looked up gives the fallback answer', () => {
  const broken = () => {
    throw new Error('boom')
  }
  expect(replyTo('hello', broken)).toBe(helpChatTexts.failed)
})

test('a blank question is not sent, and no question is sent while a reply is pending', () => {
  expect(canSend('hello', false)).toBe(true)
  expect([canSend('', false), canSend(' \n\t', false), canSend('hello', true)]).toEqual([false, false, false])
})

test('a very long or unusual question gets the general answer', () => {
  for (const question of ['a'.repeat(50_000), '<script>'.repeat(1_000), '\u202e\u0000']) {
    expect(topicOf(question)).toBe('general')
  }
})

test.each<[HelpTopic, RegExp[]]>([
  ['keys', [/Show my key/, /one per line/, /Pro plan/]],
  ['earlyAccess', [/personal link/, /reserved for everyone/, /30 to 120 minutes/]],
  ['limitPerBuyer', [/same email address or the same card/, /refund an order above the limit in full/, /Edit/]],
  ['sellerLimit', [/\$1,000 a calendar month/, /own country/, /\/payouts/, /\/account\/seller/, /aren't charged/]],
  ['waitlist', [/Remind me/, /10 minutes to buy/, /unsubscribe/]],
  ['address', [/until the order ships/, /ten minutes/]],
  ['shippingCost', [/included in the price, unless/, /once per order/, /Where you ship/]],
  ['recap', [/email and on a page/, /each size/, /Pro would have saved/]],
  ['start', [/30 days ahead/, /Cancel start/, /calendar/]],
  ['analytics', [/discount codes took off, plus surcharges/]],
])('the answer about %s has what a buyer or seller needs', (topic, parts) => {
  for (const part of parts) expect(helpAnswers[topic]).toMatch(part)
})

test('the answers name the fees, prices and limits of both plans', () => {
  expect(helpAnswers.payments).toMatch(/5% on the free plan and 3% on Pro/)
  expect(helpAnswers.plans).toMatch(/1 active drop,.*\$10 per month or \$96 per year: 3 active drops/s)
})
