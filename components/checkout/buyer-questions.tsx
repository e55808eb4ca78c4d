import type { ReactNode } from 'react'
import { HomeLink } from '@/components/layout/home-link'
import { Disclosure } from '@/components/ui/disclosure'
import { brand } from '@/lib/kernel/brand'
import { countryWithArticle, SHIPPING_COUNTRIES } from '@/lib/kernel/country'

const Support = () => <a href={`mailto:${brand.contact.support}`}>{brand.contact.support}</a>

const OrderLink = () => (
  <>
    Enter your email <a href="#find-email">above</a> for the link to your order.
  </>
)

const LiveLink = () => <HomeLink toDrops>See what&apos;s live now</HomeLink>

const questions: [question: string, answer: ReactNode][] = [
  [
    'Where is my order?',
    <>
      Open the link in your receipt email. Your order page shows the status and the tracking. Lost the email? Enter your
      email <a href="#find-email">above</a>, and we&apos;ll send the link again.
    </>,
  ],
  [
    'When does my order ship?',
    <>
      The seller packs and ships your order. If they promised a day, you&apos;ll find it on the drop&apos;s page and on
      your order page. We email you when your order ships. If the day passes, we&apos;ll ask if you want to wait or get
      a refund. <OrderLink />
    </>,
  ],
  [
    'How do I get a refund?',
    <>
      Open your order page and tap Request a refund. The seller decides, and we email you the answer. <OrderLink />{' '}
      <a href="/terms-of-service#refunds">How refunds work</a>
    </>,
  ],
  [
    'Can I change my address?',
    <>
      Yes, on your order page, until your order ships. We email you and the seller, and you can undo the change for ten
      minutes. <OrderLink />
    </>,
  ],
  [
    "The seller isn't answering. What now?",
    <>
      Request a refund on your order page. <OrderLink /> If nothing happens, write to us at <Support />.
    </>,
  ],
  [
    'I paid, but I have no order',
    <>
      If your payment came after the last unit was sold, we refund you in full and email you. Still nothing after ten
      minutes? Write to us at <Support /> with the date and the amount.
    </>,
  ],
  [
    'Where is my download?',
    <>
      Your order page has the download right after you pay. You can download a file five times. <OrderLink />
    </>,
  ],
  [
    'Where is my license key or ticket code?',
    <>
      On your order page. Tap Show my key, and the key stays there for you. We never send keys by email. <OrderLink />
    </>,
  ],
  [
    'I have a discount code. Where do I enter it?',
    <>
      On the drop&apos;s page, open “Have a code?” before you tap Buy. The payment page shows your price with the code.
      A code works for one drop only. <HomeLink toDrops>See what&apos;s live now</HomeLink>
    </>,
  ],
  [
    'Can I pay with Apple Pay or Google Pay?',
    <>
      Yes, if your phone or browser supports one of them. You&apos;ll see a button for that wallet next to Buy. No
      button? Tap Buy and pay by card. <LiveLink />
    </>,
  ],
  [
    'What does shipping cost?',
    <>
      Usually nothing extra, because the price includes shipping. Some drops add a surcharge for your country. You see
      the surcharge before you pay. <LiveLink />
    </>,
  ],
  [
    'Do you ship to my country?',
    <>
      You choose your country at checkout or, if a drop ships to some countries only, on its page. Sellers ship to{' '}
      {new Intl.ListFormat('en').format(SHIPPING_COUNTRIES.map(countryWithArticle))}. Not on the list? Ask us at{' '}
      <Support />.
    </>,
  ],
  [
    "It's sold out. Can I still get one?",
    <>
      Leave your email on the drop&apos;s page. If a unit frees up, we reserve it for the next person in line for 10
      minutes. <LiveLink />
    </>,
  ],
  [
    "How do I hear about a seller's next drop?",
    "Leave your email on the seller's profile and confirm it with the link we send. You'll get at most three emails about each drop, and you can unsubscribe in any of them.",
  ],
  [
    'Is it safe to pay?',
    <>
      Yes. You pay through Stripe, our payment provider, and the seller never sees your card. Something wrong with your
      order? You can request a refund. <a href="/terms-of-service#refunds">How refunds work</a>
    </>,
  ],
]

/** Lists questions that buyers ask, with collapsed answers. The list works without JavaScript. */
export function BuyerQuestions() {
  return (
    <section id="help" aria-labelledby="help-heading" className="mt-4 grid scroll-mt-4 gap-3">
      <h2 id="help-heading" className="text-2xl font-bold">
        Help with your order
      </h2>
      {questions.map(([question, answer]) => (
        <Disclosure key={question} label={question}>
          <p className="border-t px-4 py-3 [&_a]:font-medium [&_a]:underline [&_a]:underline-offset-2">{answer}</p>
        </Disclosure>
      ))}
    </section>
  )
}
