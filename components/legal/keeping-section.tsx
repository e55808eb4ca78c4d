import type { LegalSection } from './legal-page'

/** The privacy policy's section about how long data is kept. docs/operations.md has the rule of every table. */
export const keepingSection: LegalSection = {
  id: 'keeping',
  title: 'How long we keep it',
  body: (
    <ul>
      <li>your account, until you delete it; our copies of emails to its address are emptied with it;</li>
      <li>a former username stays reserved for 90 days, and links to the new one for the first 30;</li>
      <li>
        the address of a follower until they unsubscribe or the seller&apos;s account is deleted, and an unconfirmed
        request to follow for 7 days; a scrambled form of the address behind a personal link for early access until 30
        days after the start;
      </li>
      <li>
        the address of someone who asked to be reminded until 7 days after they unsubscribe or 30 days after the drop is
        deleted, and an unconfirmed request for 7 days;
      </li>
      <li>sessions and emailed links until a day after they end;</li>
      <li>our copies of emails, with the address and the text, for 30 days;</li>
      <li>the scrambled values that count visitors for 60 days;</li>
      <li>notices from our payment provider that a payment changed, for 90 days after we&apos;ve handled them;</li>
      <li>
        if you start a checkout and don&apos;t pay: the copy of the page, your IP address and the key of your browser
        until 30 days after the drop has ended; after that we only keep the number of such checkouts;
      </li>
      <li>
        keys of digital drops that nobody bought, until the seller&apos;s account is deleted, and the keys that buyers
        got for as long as their orders;
      </li>
      <li>
        orders, refunds and payouts, with the copy of the page for disputes, for as long as tax and accounting law
        requires, without your name as a seller once your account is deleted;
      </li>
      <li>decisions about policy violations for as long as they can affect a later one.</li>
    </ul>
  ),
}
