import { helpChatTexts } from './messages'
import { canSend, helpAnswers, type HelpTopic, replyTo, topicOf } from './rules'

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
  ['plans', 'How much is Pro per month?'],
  ['plans', 'pricing'],
  ['payments', 'What fees do you take?'],
  ['payments', 'When do I get paid?'],
  ['payments', 'I want a refund'],
  ['sharing', 'Where do I find my link?'],
  ['duration', 'How long does it last?'],
  ['duration', 'countdown'],
  ['analytics', 'Where are my analytics?'],
  ['deleting', 'delete a drop'],
  ['productTypes', 'digital products'],
  ['productTypes', 'Do you have services?'],
  ['errors', 'It doesn’t work'],
  ['errors', 'something is broken'],
  ['general', 'hello'],
  ['general', 'What about my keyboard?'],
  ['general', '👋'],
]

test.each(questions)('%s answers "%s"', (topic, question) => {
  expect(topicOf(question)).toBe(topic)
  expect(replyTo(question)).toBe(helpAnswers[topic])
})

// Each question has words of two topics, and the topic that is checked first answers it (docs/product.md#help-chat).
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
])('%s is checked first and answers "%s"', (topic, question) => expect(topicOf(question)).toBe(topic))

test('an error while the answer is looked up gives the fallback answer', () => {
  const broken = () => {
    throw new Error('boom')
  }
  expect(replyTo('hello', broken)).toBe(helpChatTexts.failed)
})

test('a blank question, or one while a reply is pending, is not sent', () => {
  expect(canSend('hello', false)).toBe(true)
  expect([canSend('', false), canSend(' \n\t', false), canSend('hello', true)]).toEqual([false, false, false])
})

test('a very long or unusual question gets the general answer', () => {
  for (const question of ['a'.repeat(50_000), '<script>'.repeat(1_000), '\u202e\u0000']) {
    expect(topicOf(question)).toBe('general')
  }
})

test('the answers name the fees, prices and limits of both plans', () => {
  expect(helpAnswers.payments).toMatch(/5% on the free plan and 3% on Pro/)
  expect(helpAnswers.plans).toMatch(/1 active drop,.*\$10 per month or \$96 per year: 3 active drops/)
})
