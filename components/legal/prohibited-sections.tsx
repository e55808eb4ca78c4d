import { brand } from '@/lib/kernel/brand'
import { type LegalSection, MailLink } from './legal-page'

const { name, contact } = brand

export const prohibitedSections: readonly LegalSection[] = [
  {
    id: 'rule',
    title: 'The rule',
    body: (
      <p>
        This applies to everything in a drop: title, description, pictures, files, links, and what actually arrives at
        the buyer. It applies in every country, even where something would be legal to sell. Sellers are 18 or older and
        have one account each. If you are not sure, ask before you publish: <MailLink to={contact.support} />.
      </p>
    ),
  },
  {
    id: 'goods',
    title: 'Things that cannot be sold',
    body: (
      <ul>
        <li>
          <strong>Weapons:</strong> firearms, ammunition, explosives, their parts and instructions to make them.
        </li>
        <li>
          <strong>Drugs and their tools:</strong> illegal drugs, substances sold to get high, equipment to make or take
          them.
        </li>
        <li>
          <strong>Medicine:</strong> prescription drugs, medical devices, cures that are not proven.
        </li>
        <li>
          <strong>Alcohol, tobacco and vapes</strong> in any form.
        </li>
        <li>
          <strong>Dangerous goods:</strong> poisons, fireworks, recalled products, anything that cannot be posted
          safely.
        </li>
        <li>
          <strong>Stolen goods, counterfeits and copies:</strong> fake brands, pirated media, software or courses, other
          people’s work without their leave.
        </li>
        <li>
          <strong>Living things and remains:</strong> live animals, protected species, human remains and body parts.
        </li>
        <li>
          <strong>Gambling and money:</strong> bets, lotteries, raffles, currency, gift cards, loans, investments,
          get-rich-quick offers.
        </li>
        <li>
          <strong>Papers and access:</strong> identity documents, diplomas, licences, accounts, followers, reviews,
          personal data of others.
        </li>
        <li>
          <strong>Tools to break in:</strong> malware, stolen credentials, ways around payment or copy protection.
        </li>
      </ul>
    ),
  },
  {
    id: 'content',
    title: 'Content that cannot be shown or sold',
    body: (
      <ul>
        <li>
          <strong>Sexual content:</strong> pornography, sexual services, nudity made to arouse.
        </li>
        <li>
          <strong>Anything that sexualises or endangers a child.</strong> Reported to the authorities, always.
        </li>
        <li>
          <strong>Hatred and harassment:</strong> attacks on people for who they are, threats, exposing somebody’s
          private details.
        </li>
        <li>
          <strong>Violence and terror:</strong> praise of it, instructions for it, symbols of groups that live by it.
        </li>
        <li>
          <strong>Self-harm</strong> and anything that encourages it.
        </li>
        <li>
          <strong>Deceit:</strong> a drop that is not what it says, an offer with no intention to deliver, made-up
          scarcity, pretending to be somebody else.
        </li>
      </ul>
    ),
  },
  {
    id: 'services',
    title: 'Services that cannot be offered',
    body: (
      <p>
        Illegal services, sexual services, medical, legal or financial advice without the licence it takes, doing
        somebody’s exam or coursework, and work that needs a permit the seller does not have.
      </p>
    ),
  },
  {
    id: 'checks',
    title: 'How drops are checked',
    body: (
      <>
        <p>
          An automatic scanner reads the title, description, file names and links of every drop while it is created and
          whenever it is edited. It lets the drop through, holds it until a person has looked, or refuses it and names
          the category. When the scanner is not available, people look instead; nothing is waved through.
        </p>
        <p>
          A scanner makes mistakes in both directions. That a drop was published does not mean that it is allowed, and a
          drop held by mistake goes live when a person has seen it.
        </p>
      </>
    ),
  },
  {
    id: 'consequences',
    title: 'What happens when a rule is broken',
    body: (
      <>
        <ul>
          <li>
            <strong>First violation:</strong> the drop is removed and you get a warning.
          </li>
          <li>
            <strong>Second violation:</strong> a 30-day suspension. It ends by itself.
          </li>
          <li>
            <strong>Third violation:</strong> a permanent ban.
          </li>
          <li>
            <strong>Severe cases</strong>, such as anything that endangers a child, weapons, or fraud against buyers: an
            immediate permanent ban, and a report to the authorities where one is due.
          </li>
        </ul>
        <p>
          Buyers of a removed drop keep their rights: what can be delivered lawfully is delivered, the rest is refunded.
          Money from prohibited sales may be held back for those refunds.
        </p>
      </>
    ),
  },
  {
    id: 'appeal',
    title: 'If we got it wrong',
    body: (
      <p>
        Write to <MailLink to={contact.legal} /> with the drop’s link and why it is within the rules. A person who did
        not make the first decision looks at it, and answers within 5 business days. If you were right, the drop comes
        back and the violation is struck from your account.
      </p>
    ),
  },
  {
    id: 'report',
    title: 'Report a drop',
    body: (
      <p>
        You have seen something on {name} that should not be there? Send its link to <MailLink to={contact.support} />.
        You need no account, and the seller does not learn who told us. Owners of a copyright or a brand write to{' '}
        <MailLink to={contact.legal} /> and say what is theirs and where it is used.
      </p>
    ),
  },
]
