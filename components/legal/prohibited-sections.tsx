import { brand } from '@/lib/kernel/brand'
import { type LegalSection, MailLink } from './legal-page'

const { name, contact } = brand

export const prohibitedSections: readonly LegalSection[] = [
  {
    id: 'rule',
    title: 'The rule',
    body: (
      <p>
        This applies to everything in a drop: title, description, photos, files, links, and what the buyer actually
        receives. It applies in every country, even where selling something would be legal. Sellers are 18 or older and
        have one account each. Not sure? Ask before you publish: <MailLink to={contact.support} />.
      </p>
    ),
  },
  {
    id: 'goods',
    title: "Goods you can't sell",
    body: (
      <ul>
        <li>
          <strong>Weapons:</strong> firearms, ammunition, explosives, their parts and instructions to make them.
        </li>
        <li>
          <strong>Drugs and paraphernalia:</strong> illegal drugs, substances sold to get high, and equipment to make or
          take them.
        </li>
        <li>
          <strong>Medicine:</strong> prescription drugs, medical devices and unproven cures.
        </li>
        <li>
          <strong>Alcohol, tobacco and vapes</strong> in any form.
        </li>
        <li>
          <strong>Dangerous goods:</strong> poisons, fireworks, recalled products, and anything that can&apos;t be
          shipped safely.
        </li>
        <li>
          <strong>Stolen goods, counterfeits and copies:</strong> fake brands, pirated media, software or courses, other
          people&apos;s work without their permission.
        </li>
        <li>
          <strong>Animals and remains:</strong> live animals, protected species, human remains and body parts.
        </li>
        <li>
          <strong>Gambling and money:</strong> bets, lotteries, raffles, currency, gift cards, loans, investments,
          get-rich-quick offers.
        </li>
        <li>
          <strong>Documents and access:</strong> identity documents, diplomas, licenses, accounts, followers, reviews,
          and other people&apos;s personal data.
        </li>
        <li>
          <strong>Hacking tools:</strong> malware, stolen credentials, and ways around payment or copy protection.
        </li>
      </ul>
    ),
  },
  {
    id: 'content',
    title: "Content you can't show or sell",
    body: (
      <ul>
        <li>
          <strong>Sexual content:</strong> pornography, sexual services, and nudity meant to arouse.
        </li>
        <li>
          <strong>Anything that sexualizes or endangers a child.</strong> Reported to the authorities, always.
        </li>
        <li>
          <strong>Hate and harassment:</strong> attacks on people for who they are, threats, and sharing someone&apos;s
          private details.
        </li>
        <li>
          <strong>Violence and terror:</strong> praise or instructions for violence, and symbols of violent groups.
        </li>
        <li>
          <strong>Self-harm</strong> and anything that encourages it.
        </li>
        <li>
          <strong>Deception:</strong> a drop that isn&apos;t what it claims to be, an offer with no intention to
          deliver, fake scarcity, and pretending to be someone else.
        </li>
      </ul>
    ),
  },
  {
    id: 'services',
    title: "Services you can't offer",
    body: (
      <p>
        Illegal services, sexual services, medical, legal or financial advice without the required license, doing
        someone&apos;s exam or coursework, and work that needs a permit the seller doesn&apos;t have.
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
          whenever it is edited. It publishes the drop, holds it for review by a person, or rejects it and names the
          category. When the scanner isn&apos;t available, people review the drops instead. Nothing is published
          unchecked.
        </p>
        <p>
          A scanner makes mistakes in both directions. A published drop isn&apos;t necessarily allowed, and a drop held
          by mistake goes live once a person has reviewed it.
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
            <strong>Second violation:</strong> a 30-day suspension. It ends automatically.
          </li>
          <li>
            <strong>Third violation:</strong> a permanent ban.
          </li>
          <li>
            <strong>Severe cases</strong>, such as anything that endangers a child, weapons, violence, or fraud against
            buyers: an immediate permanent ban, and a report to the authorities where required.
          </li>
        </ul>
        <p>
          Buyers of a removed drop keep their rights. What can be delivered legally is delivered, and the rest is
          refunded. We may hold back money from prohibited sales for those refunds.
        </p>
      </>
    ),
  },
  {
    id: 'appeal',
    title: 'If we got it wrong',
    body: (
      <p>
        Write to <MailLink to={contact.legal} /> with the drop&apos;s link and why you think it follows the rules. A
        person who didn&apos;t make the first decision will review it and reply within 5 business days. If we were
        wrong, we&apos;ll restore the drop and remove the violation from your account.
      </p>
    ),
  },
  {
    id: 'report',
    title: 'Report a drop',
    body: (
      <p>
        Seen something on {name} that shouldn&apos;t be there? Tap Report this drop on its page, or send its link to{' '}
        <MailLink to={contact.support} />. You don&apos;t need an account, and we never tell the seller who reported it.
        Copyright and trademark owners can write to <MailLink to={contact.legal} /> and tell us what they own and where
        it&apos;s used.
      </p>
    ),
  },
]
