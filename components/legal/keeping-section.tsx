import type { LegalSection } from './legal-page'

/** The privacy policy's section about how long data is kept. docs/operations.md has the rule of every table. */
export const keepingSection: LegalSection = {
  id: 'keeping',
  title: 'How long we keep it',
  body: (
    <ul>
      <li>your account until you delete it, which also deletes the content of our copies of emails to its address;</li>
      <li>your former username for 90 days, and for the first 30 of them it leads to your new one;</li>
      <li>
        the address of a follower until they unsubscribe or the seller&apos;s account is deleted, and an unconfirmed
        request to follow for 7 days; a scrambled form of the address behind a personal link for early access until 30
        days after the start;
      </li>
      <li>
        if you asked for a reminder: your email address until 7 days after you unsubscribe or 30 days after the drop is
        deleted, and an unconfirmed request for 7 days;
      </li>
      <li>sessions and emailed links until a day after they end;</li>
      <li>our copies of emails, with the address and the text, for 30 days;</li>
      <li>for 60 days, the scrambled values with which we count visitors;</li>
      <li>notices from our payment provider that a payment changed, for 90 days after we&apos;ve handled them;</li>
      <li>
        if you start a checkout and don&apos;t pay: the copy of the page, your IP address and the value that recognizes
        your browser until 30 days after the drop has ended; after that we keep only the number of such checkouts;
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
