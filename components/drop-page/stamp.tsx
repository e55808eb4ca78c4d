'use client'

import { useState } from 'react'
import { clsx } from 'clsx'
import { stampOf } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'

/** Shows the stamp that replaces the countdown when a drop has ended or is sold out. */
export function Stamp({
  drop,
}: {
  drop: Pick<DropView, 'state' | 'sold' | 'quantity' | 'isOpenEdition' | 'startedAt' | 'endTime' | 'inCheckout'>
}) {
  const stamp = stampOf(drop)
  // The stamp is animated only on a page that is open when the drop ends or sells out.
  const [wasThere] = useState(stamp !== null)
  if (!stamp) return null
  return (
    <p
      className={clsx(
        'tabular me-1 grid -rotate-4 justify-items-center rounded-control border-3 border-current px-4 py-2 text-center font-display',
        drop.state === 'soldOut' ? 'text-ink' : 'text-muted',
        !wasThere && 'stamp-press',
      )}
    >
      <span className="text-2xl leading-none font-extrabold tracking-wide whitespace-nowrap uppercase">
        {stamp.title}
      </span>
      {stamp.text ? <span className="mt-1 font-sans text-sm font-semibold">{stamp.text}</span> : null}
    </p>
  )
}
