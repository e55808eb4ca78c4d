import { brand } from '@/lib/kernel/brand'
import { planRules } from '@/lib/plans/rules'
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
          By making an account, publishing a drop or buying one you agree to these terms, to the{' '}
          <a href="/privacy-policy">Privacy Policy</a> and to the{' '}
          <a href="/prohibited-content">Prohibited Content Policy</a>. If you do not, please do not use {name}.
        </p>
        <p>
          {name} is a marketplace{legalName ? `, run by ${[legalName, legalAddress].filter(Boolean).join(', ')}` : null}
          . The contract for what is sold is between the <strong>seller</strong> and the <strong>buyer</strong>; we
          provide the page, the clock, the checkout and the payouts.
        </p>
      </>
    ),
  },
  {
    id: 'account',
    title: 'Your account',
    body: (
      <ul>
        <li>You are 18 or older and able to make contracts where you live.</li>
        <li>One account per person. A second one to get around a limit or a suspension is closed.</li>
        <li>
          What you tell us is true. Your username has 3-20 characters, is yours while you keep it, can change once every
          30 days, and must not pretend to be somebody else.
        </li>
        <li>
          Keep your password to yourself; what happens through your account counts as done by you until you tell us.
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
          A drop is live for 24, 48 or 72 hours and then ends, by our clock and for everybody at once. While it is live
          its price, type and end cannot be changed; the quantity can only grow, pictures can be added and the
          description corrected.
        </p>
        <p>
          An ended drop can be relaunched under the same link from 24 hours after its end. Sellers can end a drop early.
          What is shown as sold out, in checkout or ended is the true state; inventing scarcity is not allowed.
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
            <strong>Pro:</strong> $10 per month or $96 per year, {pro.activeDrops} active drops, physical, digital and
            service products, advanced analytics, custom links, priority support, a platform fee of{' '}
            {percent(pro.feeBps)}.
          </li>
        </ul>
        <p>
          The fee that applies is the one at the moment a checkout begins, rounded to the cent. The payment provider’s
          card fee comes on top and is shown beside it. There are no other charges.
        </p>
        <p>
          Pro renews until you cancel, which you can do at any time; it then runs to the end of what is paid. Your first
          payment comes with a <strong>14-day money-back guarantee</strong>, once per person. If a renewal fails you
          have 7 days to mend it. After Pro ends, live drops run to their end and new ones follow the free plan.
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
          Payments are taken and paid out through our payment provider’s connected accounts, whose terms apply to yours.
          You can sell before you have connected one; your share waits, visibly, and is transferred once the account is
          ready.
        </p>
        <p>
          For shipped goods the transfer is made when you mark the order as shipped, or after 7 days; for everything
          else at once. From there it reaches your bank in <strong>2-7 business days</strong>. We may hold a payout
          while a dispute, a refund or a serious suspicion of fraud is open, and say so.
        </p>
        <p>You are responsible for your own taxes.</p>
      </>
    ),
  },
  {
    id: 'buying',
    title: 'Buying',
    body: (
      <>
        <ul>
          <li>Prices are in US dollars and include shipping unless the drop says otherwise.</li>
          <li>
            When you go to pay, a piece is held for you: 10 minutes in the form on our page, about 30 minutes on the
            hosted payment page. A piece held before the end can still be paid for until the hold runs out.
          </li>
          <li>
            If a payment arrives when no piece is left, you get the whole amount back automatically and a mail that says
            so.
          </li>
          <li>Your order page, linked in your receipt, shows the status, the file or link, tracking and refunds.</li>
        </ul>
      </>
    ),
  },
  {
    id: 'refunds',
    title: 'Refunds and disputes',
    body: (
      <>
        <p>
          Something missing, broken or not as described? Ask for a refund on your order page. The seller decides first
          and may refund all or a part; our fee is returned in the same proportion. Rights that the law of your country
          gives a consumer are not touched by anything here.
        </p>
        <p>
          A dispute opened with your bank stops refunds for that order until it is decided. Sellers answer disputes with
          what they have, such as tracking and messages, and bear those they lose.
        </p>
      </>
    ),
  },
  {
    id: 'sellers',
    title: 'What sellers promise',
    body: (
      <ul>
        <li>You may sell what you sell, you own it or the rights to it, and it is as shown and described.</li>
        <li>You ship or deliver within the time your drop says, and without one within a reasonable time.</li>
        <li>You use buyers’ details for their order and for nothing else.</li>
        <li>
          Your pictures and texts stay yours. You allow us to show them, resized and in link previews, as long as the
          drop is with us.
        </li>
      </ul>
    ),
  },
  {
    id: 'conduct',
    title: 'What nobody may do',
    body: (
      <>
        <p>
          Sell or link to anything in the <a href="/prohibited-content">Prohibited Content Policy</a>; buy your own
          drop; fake views, holds or reviews; move a sale off the platform to avoid fees; attack, overload or scrape the
          service; try to get at what is not yours.
        </p>
        <p>
          <strong>First violation:</strong> the drop is removed and you are warned. <strong>Second:</strong> a 30-day
          suspension. <strong>Third:</strong> a permanent ban. Severe cases mean an immediate permanent ban.
        </p>
        <p>
          While suspended you can still log in, send what was bought, refund, export your data and see your payouts; you
          cannot create, relaunch or edit drops or upgrade, and your drops show as paused. You can answer a decision by
          writing to <MailLink to={contact.legal} />.
        </p>
      </>
    ),
  },
  {
    id: 'ending',
    title: 'Ending it',
    body: (
      <p>
        You can delete your account in Settings whenever no purchase is under way; we can close it for a breach of these
        terms, or with 30 days’ notice for another good reason. Orders that exist are carried out, what is owed is paid,
        and records of money are kept, anonymised.
      </p>
    ),
  },
  {
    id: 'liability',
    title: 'What we are liable for',
    body: (
      <>
        <p>
          We run {name} with care, but as it is: we do not promise that it is never interrupted, that a drop sells, or
          that a seller or buyer does what they should. In a serious emergency we may switch the platform off for
          everybody; what has been paid is then honoured and the rest is released.
        </p>
        <p>
          As far as the law allows, we are not liable for lost profit or indirect damage, and our total liability to you
          is <strong>capped at the fees you paid to us in the 12 months before the claim</strong>. Nothing here limits
          liability that cannot be limited, such as for intent or injury.
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
          If we change these terms in a way that matters, we tell account holders by mail at least 30 days before;
          selling on after that means you agree. Drops that are live keep the terms they started under.
        </p>
        <p>
          Legal questions go to <MailLink to={contact.legal} />;{' '}
          <strong>we answer legal inquiries within 5 business days</strong>. For everything else there is{' '}
          <MailLink to={contact.support} />.
        </p>
      </>
    ),
  },
]
