import { Fragment } from 'react'
import { historyParts } from '@/lib/drops/history/history-messages'
import type { DropView } from '@/lib/drops/view'
import { LocalTime } from '@/components/drops/local-time'

type Recorded = Pick<DropView, 'run' | 'history' | 'startedAt' | 'endTime' | 'archivedAt' | 'isOpenEdition'>

/**
 * Shows the history of the drop in one line under the clock: this run, the previous run, the planned return and the
 * changes. The line links to the page with the drop's runs.
 */
export function HistoryLine({ drop }: { drop: Recorded & Pick<DropView, 'identifier'> }) {
  return (
    <p className="tabular -my-2 text-sm text-muted" data-history>
      <a
        href={`/drop/${drop.identifier}/runs`}
        className="inline-flex min-h-11 items-center underline decoration-line underline-offset-4 hover:decoration-current"
      >
        <span>
          <HistoryText drop={drop} />
        </span>
      </a>
    </p>
  )
}

/** Shows the text of HistoryLine without the link, for the page of runs. */
export function HistoryText({ drop }: { drop: Recorded }) {
  return historyParts(drop).map(({ text, at }, place) => (
    <Fragment key={text}>
      {place > 0 ? ' · ' : null}
      {text}
      {at ? (
        <>
          {' '}
          <LocalTime iso={at} />
        </>
      ) : null}
    </Fragment>
  ))
}
