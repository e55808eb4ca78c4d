import type { ReactNode } from 'react'
import { editionTexts } from '@/lib/drops/editions/edition-messages'
import { keyTexts } from '@/lib/drops/keys/key-messages'
import { openFactText, openNumbersText } from '@/lib/drops/editions/open-messages'
import type { DropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { LocalTime } from '@/components/drops/local-time'

const typeText = { physical: 'Ships to you', digital: 'Digital file', service: 'Service' } as const

/** Shows a drop's type, times, edition and limit per buyer. The start is shown only while it is ahead. */
export function DropFacts({ drop }: { drop: DropView }) {
  const facts: [string, ReactNode][] = [
    ['Type', drop.hasKeys ? keyTexts.fact : typeText[drop.productType]],
    ...(drop.state === 'upcoming'
      ? [['Starts', <LocalTime key="start" iso={drop.startedAt} />] satisfies [string, ReactNode]]
      : []),
    [drop.state === 'ended' ? 'Ended' : 'Ends', <LocalTime key="end" iso={drop.endTime} />],
  ]
  if (drop.isOpenEdition || drop.isNumbered) facts.push(['Edition', <EditionFact key="edition" drop={drop} />])
  if (drop.maxPerBuyer !== null) facts.push(['Limit', `Up to ${drop.maxPerBuyer} per buyer`])
  return (
    <dl className="grid gap-0 border-t text-sm">
      {facts.map(([label, value]) => (
        <div key={label} className="grid grid-cols-[6rem_1fr] gap-4 border-b py-3">
          <dt className="text-muted">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function EditionFact({ drop }: { drop: DropView }) {
  return (
    <>
      {drop.isOpenEdition ? <p>{openFactText(drop)}</p> : null}
      {drop.isNumbered ? <NumberFact drop={drop} /> : null}
    </>
  )
}

function NumberFact({ drop }: { drop: DropView }) {
  // The units sold in this run. `drop.sold` also counts units of the previous run that were paid after this run began.
  const sold = drop.history?.sold ?? drop.sold
  // Checkouts that are open at the end can still be paid, and then get numbers.
  const isComplete = drop.state === 'ended' && drop.inCheckout === 0
  const given = sold > 0 ? ` ${formatCount(sold)} assigned${isComplete ? '' : ' so far'}.` : ''
  return (
    <>
      Numbered. {drop.isOpenEdition ? openNumbersText(drop) : editionTexts.fact}
      {given}{' '}
      <a
        href={`/drop/${drop.identifier}/edition`}
        className="flex min-h-11 w-fit items-center underline underline-offset-4"
      >
        See the edition
      </a>
    </>
  )
}
