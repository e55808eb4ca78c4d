import { brand } from '@/lib/kernel/brand'
import { type LegalSection, MailLink } from './legal-page'

const { name, contact, legalName, legalAddress } = brand

export const privacySections: readonly LegalSection[] = [
  {
    id: 'who',
    title: 'Who this is about',
    body: (
      <>
        <p>
          This policy covers everybody who meets {name}: <strong>sellers</strong>, who have an account,{' '}
          <strong>buyers</strong>, who need none, and <strong>visitors</strong>, who only look.
        </p>
        {legalName ? (
          <p>{[`${legalName} is responsible for what ${name} keeps`, legalAddress].filter(Boolean).join(': ')}.</p>
        ) : null}
        <p>
          {name} is for adults. You must be 18 or older to have an account, and we do not knowingly keep data about
          anybody younger. If you think we do, write to <MailLink to={contact.privacy} /> and we delete it.
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
          <strong>Your account:</strong> first and last name, username, e-mail address, profile picture if you add one,
          your plan and your settings. Your password is stored only as a one-way hash; nobody can read it, we included.
        </li>
        <li>
          <strong>Your drops:</strong> title, description, pictures, price, quantity, files for digital drops, and how
          often a drop was seen and bought.
        </li>
        <li>
          <strong>Your sales:</strong> orders, fees, refunds and payouts. Your bank details and identity documents go
          straight to our payment provider; we only learn whether payouts are ready.
        </li>
        <li>
          <strong>Your logins:</strong> the device description, IP address and time of each session, so that you can see
          your devices and end them.
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
            <strong>Your order:</strong> what you bought, the amount, the time, and your e-mail address for the receipt.
          </li>
          <li>
            <strong>For things that are shipped:</strong> name, postal address and phone number. The seller sees them,
            because somebody has to write the label.
          </li>
          <li>
            <strong>What you saw:</strong> a copy of the page you bought from and the IP address you bought from, in
            case your bank asks about the payment.
          </li>
          <li>
            <strong>If you ask to be reminded of a drop:</strong> your e-mail address, after you have confirmed it. One
            tap in any such mail ends it.
          </li>
        </ul>
        <p>
          <strong>We never see your card number.</strong> You type it on our payment provider’s form; we learn that a
          payment went through, its amount and its reference.
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
          Pages of drops and profiles are the same for everybody and read no cookie. To count a drop’s views as people
          and not as reloads, we keep one scrambled value per visitor, drop and day. It is made with a key, changes
          every day, and cannot be turned back into an address or followed from one day to the next.
        </p>
        <p>Like any web server, ours keeps short technical logs. They hold no names, addresses or contents.</p>
      </>
    ),
  },
  {
    id: 'cookies',
    title: 'Cookies and storage in your browser',
    body: (
      <>
        <p>Only what the service cannot do without:</p>
        <ul>
          <li>a session cookie that keeps a seller logged in, unreadable to scripts;</li>
          <li>a cookie that remembers a purchase you have begun, so that trying again does not take a second piece;</li>
          <li>what a form was filled with, in your own browser, so that a reload does not lose it.</li>
        </ul>
        <p>No advertising cookies, no cookies of other companies, no fingerprinting. That is why there is no banner.</p>
      </>
    ),
  },
  {
    id: 'why',
    title: 'What we use it for',
    body: (
      <ul>
        <li>to run drops, checkouts, deliveries, refunds and payouts, which is our contract with you;</li>
        <li>to send receipts, security notices and messages about your money, which always go;</li>
        <li>to send news about your drops if you left that on, and marketing only if you switched it on yourself;</li>
        <li>to show sellers their own statistics; a seller can switch analytics off;</li>
        <li>to find fraud and prohibited content, partly by an automatic check of a drop’s text and file names;</li>
        <li>to keep the books the law asks for.</li>
      </ul>
    ),
  },
  {
    id: 'sharing',
    title: 'Who else gets it',
    body: (
      <>
        <p>We do not sell or rent data. It leaves us only like this:</p>
        <ul>
          <li>
            <strong>Between seller and buyer</strong>, what the order needs: the seller gets the delivery details, the
            buyer sees the seller’s public name.
          </li>
          <li>
            <strong>Our payment provider</strong> processes cards, payouts and subscriptions and has a policy of its
            own.
          </li>
          <li>
            <strong>Companies that work for us</strong>, such as hosting and mail delivery, only on our instructions.
          </li>
          <li>
            <strong>Authorities and courts</strong>, when the law obliges us, and no more than is asked.
          </li>
        </ul>
        <p>
          Public for anybody: your username, first name, plan, badge and your live drops. Never your e-mail address.
        </p>
      </>
    ),
  },
  {
    id: 'keeping',
    title: 'How long we keep it',
    body: (
      <ul>
        <li>your account, until you delete it;</li>
        <li>a former username stays reserved for 90 days, and leads to the new one for the first 30;</li>
        <li>sessions until they end, password links for 60 minutes;</li>
        <li>orders, refunds and payouts as long as tax and accounting law asks, after a deletion without your name;</li>
        <li>decisions about policy violations as long as they can matter for the next one.</li>
      </ul>
    ),
  },
  {
    id: 'rights',
    title: 'Your rights',
    body: (
      <>
        <p>
          As a seller you can do most of it yourself in Settings: correct your details, switch mails and analytics off,{' '}
          <strong>export your data</strong>, and <strong>delete your account</strong>. Deleting ends your drops and
          scrubs what names you; the records of money stay, anonymised.
        </p>
        <p>
          Buyers, and everybody else, write to <MailLink to={contact.privacy} /> to see, correct, move or delete their
          data or to object to a use of it. Depending on where you live you may also complain to a data protection
          authority.
        </p>
        <p>
          <strong>We answer privacy inquiries within 30 days.</strong>
        </p>
      </>
    ),
  },
  {
    id: 'security',
    title: 'How it is protected',
    body: (
      <p>
        Connections are encrypted. Passwords are hashed with a slow function, sessions and reset links are stored only
        as fingerprints, administrators use a second factor, and what they do is written down. No system is perfect: if
        yours or our data is ever exposed in a way that matters to you, we tell you without delay.
      </p>
    ),
  },
  {
    id: 'changes',
    title: 'Changes and contact',
    body: (
      <p>
        If we change something that matters we say so by mail before it applies, and the date at the top changes. Write
        to <MailLink to={contact.privacy} /> with any question about this page.
      </p>
    ),
  },
]
