import { brand } from '@/lib/kernel/brand'
import { endSentence } from '@/lib/kernel/text'
import { keepingSection } from './keeping-section'
import { type LegalSection, MailLink } from './legal-page'

const { name, contact, legalName, legalAddress } = brand

export const privacySections: readonly LegalSection[] = [
  {
    id: 'who',
    title: 'Who this is about',
    body: (
      <>
        <p>
          This policy covers everyone who uses {name}: <strong>sellers</strong>, who have an account,{' '}
          <strong>buyers</strong>, who don&apos;t need one, and <strong>visitors</strong>, who only look.
        </p>
        {legalName ? (
          <p>
            {endSentence(
              [`${legalName} is responsible for what ${name} keeps`, legalAddress].filter(Boolean).join(': '),
            )}
          </p>
        ) : null}
        <p>
          {name} is for adults. You must be 18 or older to have an account, and we don&apos;t knowingly keep data about
          anyone younger. If you think we do, write to <MailLink to={contact.privacy} /> and we&apos;ll delete it.
        </p>
      </>
    ),
  },
  {
    id: 'sellers',
    title: 'What we keep about sellers',
    body: (
      <ul>
        <li>
          <strong>Your account:</strong> first and last name, username, email address, profile photo if you add one,
          your plan, your settings and your seller details. Buyers see the details of a business, and past buyers see
          the ones from when they bought. We store your password only as a one-way hash, so nobody can read it,
          including us.
        </li>
        <li>
          <strong>Your drops:</strong> title, description, photos, price, quantity, files and keys for digital drops,
          and how often a drop was seen and bought.
        </li>
        <li>
          <strong>Your sales:</strong> orders, fees, refunds and payouts. Your bank details and identity documents go
          straight to our payment provider. We only learn whether payouts are ready.
        </li>
        <li>
          <strong>Your sign-ins:</strong> the device description, IP address and time of each session, so that you can
          see your devices and sign them out.
        </li>
        <li>
          <strong>Your passkeys:</strong> the public key, a counter, the name you gave it, and when you added and last
          used it. Your fingerprint or face never leaves your device.
        </li>
        <li>
          <strong>Our decisions:</strong> policy warnings, suspensions and what staff did on your account.
        </li>
      </ul>
    ),
  },
  {
    id: 'buyers',
    title: 'What we keep about buyers',
    body: (
      <>
        <ul>
          <li>
            <strong>Your order:</strong> what you bought, the amount, the time, your email address for the receipt, and
            the country of your billing address or card, for the seller&apos;s taxes.
          </li>
          <li>
            <strong>For orders that are shipped:</strong> name, postal address and, if you gave one, your phone number.
            The seller sees them in order to ship your order.
          </li>
          <li>
            <strong>What you saw:</strong> a copy of the page you bought from and the IP address you bought from, in
            case your bank asks about the payment.
          </li>
          <li>
            <strong>If you ask to be reminded of a drop:</strong> your email address, which we delete after 7 days if
            you don&apos;t confirm it, and your time zone. You can unsubscribe with one tap in any of these emails.
          </li>
          <li>
            <strong>If you follow a seller:</strong> your email address, your time zone, and when, on which page and to
            which text you agreed. The seller you follow can see and download these, except the time zone. Unsubscribing
            deletes your address from our list. If we emailed you a personal link for early access, we also keep which
            order it was used for.
          </li>
        </ul>
        <p>
          <strong>We never see your card number.</strong> You enter it in our payment provider&apos;s form. We only
          learn that a payment went through, its amount, its reference and this country. We also keep a scrambled value
          that recognizes your card, so that a seller can limit how many units each buyer gets.
        </p>
      </>
    ),
  },
  {
    id: 'visitors',
    title: 'What we keep about visitors',
    body: (
      <>
        <p>
          Our server builds drop pages and profiles without reading cookies, so they are the same for everyone. Personal
          links to early access have a page of their own. To count a drop&apos;s views as people and not as reloads, we
          store one scrambled value per visitor, drop and day. The value is made with a secret key, changes every day,
          and can&apos;t be turned back into an address or followed from one day to the next.
        </p>
        <p>
          Where a drop page offers wallets such as Apple Pay, your browser loads a script from Stripe, our payment
          provider, to find out which wallets you have. Stripe then sees your IP address. On these pages we&apos;ve
          turned off its collection of data about your device and how you use the page.
        </p>
        <p>
          Like any web server, ours keeps short technical logs. They don&apos;t contain names, addresses or content.
        </p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and storage in your browser',
    body: (
      <>
        <p>We store only what the service needs to work:</p>
        <ul>
          <li>a session cookie that keeps a seller signed in and that scripts can&apos;t read;</li>
          <li>
            a cookie with a signed-in seller&apos;s number, so that public pages can show the seller&apos;s own tools;
          </li>
          <li>
            a cookie that recognizes a browser in which a seller has signed in before, so that we can tell the seller
            from a stranger;
          </li>
          <li>
            short-lived cookies between the steps of signing up, or of signing in with a second factor or a passkey;
          </li>
          <li>
            cookies that remember a checkout you started, or could start with a wallet, so that trying again
            doesn&apos;t reserve a second unit;
          </li>
          <li>cookies that Stripe, our payment provider, needs on pages with its wallets or its payment form;</li>
          <li>what you typed into a form, in your own browser, so that a reload doesn&apos;t lose it.</li>
        </ul>
        <p>
          We set no advertising cookies and no other third-party cookies, and we do no fingerprinting. That&apos;s why
          there&apos;s no cookie banner.
        </p>
      </>
    ),
  },
  {
    id: 'why',
    title: 'What we use it for',
    body: (
      <ul>
        <li>to run drops, checkouts, deliveries, refunds and payouts, which is our contract with you;</li>
        <li>to send receipts, security notices and messages about your money, which we always send;</li>
        <li>
          to send news about your drops if that&apos;s turned on, and marketing only if you turned it on yourself;
        </li>
        <li>to show sellers their own statistics, which they can turn off;</li>
        <li>
          to detect fraud and prohibited content, partly by an automatic check of a drop&apos;s text and file names;
        </li>
        <li>to keep the financial records that the law requires.</li>
      </ul>
    ),
  },
  {
    id: 'sharing',
    title: 'Who we share it with',
    body: (
      <>
        <p>We don&apos;t sell or rent data. We share it only in these cases:</p>
        <ul>
          <li>
            <strong>Between seller and buyer</strong>: the seller gets the delivery details, and the buyer sees the
            seller&apos;s public name.
          </li>
          <li>
            <strong>Between follower and seller</strong>: the seller gets the addresses of people who asked for emails
            about that seller&apos;s drops. We send these emails and use the list for nothing else.
          </li>
          <li>
            <strong>Our payment provider</strong> processes cards, payouts and subscriptions under its own privacy
            policy.
          </li>
          <li>
            <strong>Companies that work for us</strong>, such as hosting and email delivery, only on our instructions.
          </li>
          <li>
            <strong>Authorities and courts</strong>, when the law requires it, and no more than required.
          </li>
        </ul>
        <p>
          Everyone can see your username, first name, photo, line of text, links, plan, badge and live drops. If you
          sell as a business, buyers also see its details. Your email address isn&apos;t public.
        </p>
      </>
    ),
  },
  keepingSection,
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          As a seller you can do most of this yourself in Settings: correct your details, turn off emails and analytics,{' '}
          <strong>export your data</strong>, and <strong>delete your account</strong>. Deleting your account ends your
          drops and removes your personal data. Payment records are kept without your name.
        </p>
        <p>
          Buyers and everyone else can write to <MailLink to={contact.privacy} /> to see, correct, export or delete
          their data or to object to how it&apos;s used. Depending on where you live, you may also complain to a data
          protection authority.
        </p>
        <p>
          <strong>We answer privacy inquiries within 30 days.</strong>
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'How your data is protected',
    body: (
      <p>
        Connections are encrypted. Passwords are hashed with a slow function, sessions and reset links are stored only
        as hashes, administrators use two-factor authentication, and their actions are logged. No system is perfect. If
        your data is ever exposed in a way that matters to you, we&apos;ll tell you without delay.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and contact',
    body: (
      <p>
        If we change something that matters, we&apos;ll email you before it applies and update the date at the top.
        Write to <MailLink to={contact.privacy} /> with any question about this page.
      </p>
    ),
  },
]
