import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { endSentence } from '@/lib/kernel/text'
import { planPriceText, planRules } from '@/lib/plans/rules'
import { USUAL_CAP_CENTS } from '@/lib/traders/rules'
import { buyingTerms } from './buying-terms'
import { type LegalSection, MailLink } from './legal-page'

const { name, contact, legalName, legalAddress } = brand
const free = planRules({ plan: 'free', isAdmin: false })
const pro = planRules({ plan: 'pro', isAdmin: false })
const percent = (feeBps: number) => `${feeBps / 100}%`

export const termsSections: readonly LegalSection[] = [
  {
    id: 'agreement',
    title: 'The agreement',
    body: (
      <>
        <p>
          By creating an account, publishing a drop or buying from one, you agree to these terms, to the{' '}
          <a href="/privacy-policy">Privacy Policy</a> and to the{' '}
          <a href="/prohibited-content">Prohibited Content Policy</a>. If you don&apos;t agree, please don&apos;t use{' '}
          {name}.
        </p>
        <p>
          {endSentence(
            `${name} is a marketplace${legalName ? `, run by ${[legalName, legalAddress].filter(Boolean).join(', ')}` : ''}`,
          )}{' '}
          The contract for what is sold is between the <strong>seller</strong> and the <strong>buyer</strong>. We
          provide the page, the countdown, the checkout and the payouts.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <ul>
        <li>You are 18 or older and can enter into contracts where you live.</li>
        <li>One account per person. We close second accounts made to get around a limit or a suspension.</li>
        <li>
          The information you give us is true. Your username has 3 to 20 characters, can change once every 30 days, and
          must not impersonate anyone else.
        </li>
        <li>
          Keep your password to yourself. You&apos;re responsible for what happens through your account until you tell
          us that your password was stolen.
        </li>
        <li>Buyers need no account.</li>
      </ul>
    ),
  },
  {
    id: 'drops',
    title: 'Drops',
    body: (
      <>
        <p>
          A drop is live for 24, 48 or 72 hours and then ends for everyone at the same time, by our clock. It starts
          right away or at a time up to 30 days ahead, which its page names. Until then nobody can buy, except followers
          of a seller who gives them early access. Before the start the seller can change the drop or cancel it.
        </p>
        <p>
          While a drop is live, its seller can&apos;t change its price or type, or make it last longer. After an outage
          we may give live drops the lost time back. The seller can correct the description, add photos and units, and
          replace the link of a digital drop. The seller can take units away only by lowering the cap of an open
          edition, never below what is ordered, or by changing sizes or other choices before the first sale.
        </p>
        <p>
          An ended drop can be relaunched with the same link from 24 hours after its end. An open edition sells as many
          units as are ordered until its end, up to the cap on its page, and is never launched again. Sellers can end a
          drop early. “Sold out”, “in checkout” and “ended” on a page are always true. Fake scarcity isn&apos;t allowed.
        </p>
      </>
    ),
  },
  {
    id: 'plans',
    title: 'Plans and fees',
    body: (
      <>
        <ul>
          <li>
            <strong>Free:</strong> no monthly price, {free.activeDrops} active drop, physical products, basic analytics,
            standard support, a platform fee of {percent(free.feeBps)} of each sale.
          </li>
          <li>
            <strong>Pro:</strong> {planPriceText.pro}, {pro.activeDrops} active drops, physical, digital and service
            products, advanced analytics, custom links, priority support, a platform fee of {percent(pro.feeBps)}.
          </li>
        </ul>
        <p>
          We charge the platform fee of the plan you have when the buyer starts checking out, rounded to the cent. The
          payment provider&apos;s card fee is charged in addition and shown next to it. We charge nothing else.
        </p>
        <p>
          Pro renews until you cancel, which you can do at any time. It then stays active until the end of the billing
          period. Your first payment comes with a <strong>14-day money-back guarantee</strong>, once per person. If a
          renewal fails, you have 7 days to update your card. After Pro ends, live drops stay live until they end, and
          new drops follow the rules of the free plan.
        </p>
      </>
    ),
  },
  {
    id: 'payouts',
    title: 'Getting paid',
    body: (
      <>
        <p>
          Our payment provider processes payments and sends your payouts. To receive payouts, you connect an account
          with that provider and accept its terms. You can sell before you&apos;ve connected one. Until then we hold
          your payouts and show them to you, and we transfer them once the account is ready.
        </p>
        <p>
          For physical orders we make the transfer when you mark the order as shipped, or after 7 days. If you promised
          a shipping day, we transfer at most $500 in all before you ship. For everything else we make it right away.
          The money then reaches your bank in <strong>2 to 7 business days</strong>. We may hold a payout during a
          dispute, a refund or a serious suspicion of fraud, and we&apos;ll tell you if we do. We send nothing to a
          newly connected account in its first three days.
        </p>
        <p>
          Until our payment provider has checked your account, you can take orders worth up to{' '}
          <strong>{formatUsd(USUAL_CAP_CENTS).replace('.00', '')} a calendar month</strong>, unless we set another
          limit, and ship only within your own country. Both end once your account is ready. Your seller details say how
          much of the limit you have used.
        </p>
        <p>
          You&apos;re responsible for your own taxes. Where we have to pay the tax that your price contains, we keep it
          from your payout and show it to you.
        </p>
      </>
    ),
  },
  buyingTerms,
  {
    id: 'refunds',
    title: 'Refunds and disputes',
    body: (
      <>
        <p>
          Something missing, broken or not as described? Request a refund on your order page. The seller decides first
          and may refund all or part of the order. We return our fee in the same proportion. Nothing here limits your
          legal rights as a consumer.
        </p>
        <p>
          Some drop pages promise a day by which a parcel ships. If it isn&apos;t shipped by then, we ask you whether to
          wait until another day or to get a full refund. If you don&apos;t answer within seven days, we refund you. We
          don&apos;t refund an order under this rule once it has been shipped.
        </p>
        <p>
          If you open a dispute with your bank, refunds for that order stop until the bank decides. Sellers respond to
          disputes with evidence such as tracking and messages, and cover the ones they lose. If the payout of a
          disputed order has been sent, we take it back until the bank decides, and send it again if the seller wins.
        </p>
      </>
    ),
  },
  {
    id: 'sellers',
    title: 'What sellers promise',
    body: (
      <ul>
        <li>
          You&apos;re allowed to sell your products, you own them or the rights to them, and they match what you show
          and describe.
        </li>
        <li>You ship or deliver within the time stated in your drop, or within a reasonable time if none is stated.</li>
        <li>You use buyers&apos; details only for their order.</li>
        <li>
          You use followers&apos; addresses only for what they agreed to, which is emails about your drops. Every email
          you send them yourself has a way to unsubscribe, and you don&apos;t pass the addresses on.
        </li>
        <li>
          Your photos and texts stay yours. You allow us to show them, resized and in link previews, as long as the drop
          is on our site.
        </li>
      </ul>
    ),
  },
  {
    id: 'conduct',
    title: 'What nobody may do',
    body: (
      <>
        <p>Nobody may:</p>
        <ul>
          <li>
            sell or link to anything that the <a href="/prohibited-content">Prohibited Content Policy</a> forbids;
          </li>
          <li>buy their own drop;</li>
          <li>fake views or reservations;</li>
          <li>move a sale off the platform to avoid fees;</li>
          <li>attack, overload or scrape the service;</li>
          <li>try to access data that isn&apos;t theirs.</li>
        </ul>
        <p>
          <strong>First violation:</strong> the drop is removed and you are warned. <strong>Second:</strong> a 30-day
          suspension. <strong>Third:</strong> a permanent ban. Severe cases mean an immediate permanent ban.
        </p>
        <p>
          While suspended you can still sign in, ship orders, send refunds, end drops, correct your name and email
          address, export your data and see your payouts. You can&apos;t create, relaunch or edit drops or upgrade, and
          your drops show as paused. You can appeal on your dashboard, or write to <MailLink to={contact.legal} />.
        </p>
      </>
    ),
  },
  {
    id: 'ending',
    title: 'Closing your account',
    body: (
      <p>
        You can delete your account in Settings once you have no open orders or checkouts, and no payout account that is
        less than three days old. We can close it for a breach of these terms, or with 30 days&apos; notice for another
        good reason. Existing orders are completed, what is owed is paid, and payment records are kept without your
        name.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'Our liability',
    body: (
      <>
        <p>
          We run {name} with care, and provide it as it is. We don&apos;t promise that the service is never interrupted,
          that a drop sells, or that sellers and buyers do what they should. In a serious emergency we may pause the
          platform for everyone. Paid orders are then kept, and unpaid reservations are released.
        </p>
        <p>
          As far as the law allows, we aren&apos;t liable for lost profit or indirect damage, and our total liability to
          you is <strong>capped at the fees you paid to us in the 12 months before the claim</strong>. Nothing here
          limits liability that can&apos;t be limited by law, such as liability for intentional harm or personal injury.
        </p>
      </>
    ),
  },
  {
    id: 'contact',
    title: 'Changes and contact',
    body: (
      <>
        <p>
          If we change these terms in a way that matters, we&apos;ll email account holders at least 30 days before.
          Continuing to sell after that means you agree. Live drops keep the terms they started under.
        </p>
        <p>
          Legal questions go to <MailLink to={contact.legal} />.{' '}
          <strong>We answer legal inquiries within 5 business days</strong>. For everything else, write to{' '}
          <MailLink to={contact.support} />.
        </p>
      </>
    ),
  },
]
