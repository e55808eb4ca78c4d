import type { ReactNode } from 'react'
import { earlySoldText } from '@/lib/drops/start/early-messages'
import { changeTexts, historyTexts, soldText } from '@/lib/drops/history/history-messages'
import { MAX_LISTED_RUNS } from '@/lib/drops/history/history-rules'
import { isCanceled } from '@/lib/drops/rules'
import type { PastRunView } from '@/lib/drops/history/history-view'
import { formatCount } from '@/lib/kernel/format-count'
import { LocalTime } from '@/components/drops/local-time'

type RunsListProps = {
  runs: readonly PastRunView[]
  current: number
  /** How many units of the current run are in checkout. */
  inCheckout?: number
  isOver: boolean
  isOpenEdition?: boolean
  serverTime: string
}

type ShownRun = PastRunView & { inCheckout?: number }

/**
 * Shows the runs of a drop with their changes, the newest run first. Very long lists are cut, and a text says that
 * older runs or changes are left out.
 */
export function RunsList({
  runs: listed,
  current,
  inCheckout = 0,
  isOver,
  isOpenEdition = false,
  serverTime,
}: RunsListProps) {
  const runs = listed.map((run) => (run.run === current ? { ...run, inCheckout } : run))
  return (
    <>
      <ol reversed className="grid gap-4">
        {runs.map((run) => (
          <li key={run.run} data-run={run.run} className="grid gap-3 rounded-card bg-sunken p-5">
            <div>
              <h2 className="text-xl font-bold">
                Run {run.run}
                {run.run === current && !isOver ? (hasStarted(run, serverTime) ? ', now' : ', not started yet') : ''}
              </h2>
              <p className="tabular font-medium">{capitalized(soldText(run, isOpenEdition))}</p>
              {run.early ? (
                <p className="tabular text-sm">{capitalized(earlySoldText(run.early.minutes, run.early.sold))}</p>
              ) : null}
            </div>
            <Times run={run} isOver={run.run < current || isOver} serverTime={serverTime} />
            <Changes run={run} isOpenEdition={isOpenEdition} serverTime={serverTime} />
          </li>
        ))}
      </ol>
      {runs.length === MAX_LISTED_RUNS ? <p className="text-sm text-muted">{historyTexts.older}</p> : null}
    </>
  )
}

const hasStarted = ({ startedAt }: PastRunView, serverTime: string) => startedAt <= serverTime

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function Times({ run, isOver, serverTime }: { run: ShownRun; isOver: boolean; serverTime: string }) {
  const { startedAt, endTime, firstEndTime, isAutoRenew } = run
  const hasNoStart = isCanceled(run)
  // Followers bought or are paying, and the seller ended the drop before everyone could buy.
  const isBeforeStart = isOver && !hasNoStart && endTime <= startedAt
  const time = (key: string, iso: string) => (
    <LocalTime key={key} iso={iso} withYear={iso.slice(0, 4) !== serverTime.slice(0, 4)} />
  )
  const facts: [string, ReactNode][] = [
    isBeforeStart
      ? ['Public start', <span key="start">{time('start', startedAt)} (never reached)</span>]
      : [hasNoStart ? 'Start was' : hasStarted(run, serverTime) ? 'Started' : 'Starts', time('start', startedAt)],
    [hasNoStart ? 'Canceled' : isOver ? 'Ended' : 'Ends', time('end', endTime)],
  ]
  if (firstEndTime !== null && firstEndTime !== endTime) facts.push(['Original end', time('first', firstEndTime)])
  if (run.run > 1) facts.push(['Started by', isAutoRenew ? 'Auto-renew' : 'The seller'])
  return (
    <dl className="grid gap-1 text-sm">
      {facts.map(([label, value]) => (
        <div key={label} className="grid grid-cols-[6rem_1fr] gap-4">
          <dt className="text-muted">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type ChangesProps = { run: ShownRun; isOpenEdition: boolean; serverTime: string }

function Changes({ run, isOpenEdition, serverTime }: ChangesProps) {
  const { changes, olderChanges, firstEndTime } = run
  const worded = changes.flatMap((change) =>
    changeTexts(change, run, { isOpenEdition }).map((text) => ({ text, at: change.at })),
  )
  if (worded.length === 0) {
    return firstEndTime === null ? null : (
      <p className="text-sm">{capitalized(isOpenEdition ? historyTexts.unchangedOpen : historyTexts.unchanged)}.</p>
    )
  }
  return (
    <ul className="grid gap-1 border-t pt-3 text-sm">
      {olderChanges > 0 ? (
        <li>
          {formatCount(olderChanges)} earlier {olderChanges === 1 ? 'change is' : 'changes are'} not shown.
        </li>
      ) : null}
      {worded.map(({ text, at }, place) => (
        <li key={place} className="grid gap-x-4 md:grid-cols-[13rem_1fr]">
          <LocalTime iso={at} withYear={at.slice(0, 4) !== serverTime.slice(0, 4)} className="text-muted" />
          <span>{capitalized(text)}</span>
        </li>
      ))}
    </ul>
  )
}
