import { formatCount } from '@/lib/kernel/format-count'
import { formatUtc } from '@/lib/kernel/time'
import { earlySoldText } from '../start/early-messages'
import { MAX_LISTED_RUNS, moveText, durationText } from './history-rules'
import { isCanceled } from '../rules'
import type { DropHistory, RunChange, RunView, ValueChange } from './history-view'

/** What a part of the line under the clock is about. */
export const historyKinds = ['run', 'previousRun', 'return', 'early', 'change', 'unchanged'] as const

/**
 * A part of the line under the clock. If `at` is set, this moment follows the text in the reader's time zone. `since`
 * is the moment of the fact, which the line does not print: the start of the run, the end of the previous run, the
 * public start after early access, or the last change.
 */
export type HistoryPart = { kind: (typeof historyKinds)[number]; text: string; at?: string; since?: string }

/** The texts about the runs of a drop (docs/product.md#history-of-a-drop). */
export const historyTexts = {
  unchanged: 'times and units unchanged',
  unchangedOpen: 'times and cap unchanged',
  openRun: 'Open edition, runs only once',
  title: 'Runs of this drop',
  intro:
    'This list shows every time the drop was on sale, and every change to its times and units. Nobody can edit the list.',
  older: `Only the newest ${MAX_LISTED_RUNS} runs are listed.`,
  returnsSure: 'returns',
  mayReturn: 'may return',
} as const

/** A run's times. A drop that was taken off sale keeps its planned end, so its run ended at `archivedAt`. */
type Times = {
  startedAt: string
  endTime: string
  archivedAt?: string | null
  early?: RunView['early']
  inCheckout?: number
}

function neverBegan({ startedAt, endTime, archivedAt, early, inCheckout = 0 }: Times): boolean {
  const end = archivedAt && archivedAt < endTime ? archivedAt : endTime
  return !early && isCanceled({ startedAt, endTime: end, inCheckout })
}

const units = (count: number) => `${formatCount(count)} ${count === 1 ? 'unit' : 'units'}`

/**
 * Says what a run sold, how fast it sold out, and how many of its units were refunded, such as "sold 24 of 24 in 3 h, 2
 * refunded". Also says when its start was canceled. The units of an open edition are not compared with its cap.
 */
export function soldText(run: RunView & Times, isOpenEdition = false): string {
  if (neverBegan(run)) return 'canceled before its start'
  const { sold, refunded, quantity, soldOutAt, startedAt } = run
  const speed = soldOutAt === null ? '' : ` in ${durationText(Date.parse(soldOutAt) - Date.parse(startedAt))}`
  const back = refunded === 0 ? '' : `, ${formatCount(refunded)} refunded`
  if (isOpenEdition) return `${soldOutAt === null ? '' : 'all '}${formatCount(sold)} ordered${speed}${back}`
  return `sold ${formatCount(sold)} of ${formatCount(quantity)}${speed}${back}`
}

const authors = { seller: 'its seller', platform: 'the platform' } as const

/** Describes how far a time moved. Also says when it moved and moved back, so that `ms` is 0. */
function movedText(what: string, ms: number, moves: number, why: string): string[] {
  if (moves === 0) return []
  return [ms === 0 ? `${what} moved and moved back ${why}` : `${what} moved ${moveText(ms)} ${why}`]
}

function unitsText(count: number, moves: number, isOpenEdition: boolean): string[] {
  if (moves === 0) return []
  if (isOpenEdition) {
    if (count === 0) return ['cap changed and changed back']
    return [`cap ${count > 0 ? 'raised' : 'lowered'} by ${formatCount(Math.abs(count))}`]
  }
  if (count === 0) return ['units added and removed again']
  return [`${units(Math.abs(count))} ${count > 0 ? 'added' : 'removed'}`]
}

/** The line under the clock names at most this many changed values. The page of all runs names every one. */
const MOST_IN_LINE = 4

/**
 * Says which values of an option were removed and added, and how many units the others gained or lost. When units were
 * only added, it also says how many in all: "10 units added: 5 S, 5 M". The values of an open edition have no units.
 */
function valuesText({ optionName = '', ...change }: RunChange, most: number, isOpenEdition: boolean): string {
  const isListed = ({ before, after }: ValueChange) => !isOpenEdition || before === null || after === null
  const values = (change.values ?? []).filter(isListed)
  const gains = values.map(({ value, before, after }) => ({ value, gained: (after ?? 0) - (before ?? 0) }))
  const isRaise = values.every(({ before }) => before !== null) && gains.every(({ gained }) => gained > 0)
  if (isRaise && gains.length > 0) {
    const sum = gains.reduce((total, { gained }) => total + gained, 0)
    const list = gains.map(({ value, gained }) => `${formatCount(gained)} ${value}`)
    return `${units(sum)} added: ${cutList(list, most)}`
  }
  const texts = { removed: [] as string[], added: [] as string[], fewer: [] as string[], more: [] as string[] }
  for (const { value, before, after } of values) {
    if (after === null) texts.removed.push(`${optionName} ${value} removed`)
    else if (before === null)
      texts.added.push(`${optionName} ${value} added${isOpenEdition ? '' : ` with ${units(after)}`}`)
    else if (after < before) texts.fewer.push(`${formatCount(before - after)} ${value} fewer`)
    else texts.more.push(`${formatCount(after - before)} ${value} more`)
  }
  const all = Object.values(texts).flat()
  return all.length === 0 ? 'choices changed and changed back' : cutList(all, most)
}

/** Joins the first `most` texts, and says how many more there are. */
function cutList(all: readonly string[], most: number): string {
  const more = all.length - most
  return more > 0
    ? `${all.slice(0, most).join(', ')} and ${more} more ${more === 1 ? 'change' : 'changes'}`
    : all.join(', ')
}

/**
 * Describes a change of a run. Returns two texts when both the start and the end moved, and none when nothing changed.
 * @param run the run's times; without them, an early end does not count as a canceled start
 * @param options.isOpenEdition whether the units are the cap of an open edition
 * @param options.most how many changed values are named at most
 */
export function changeTexts(
  change: RunChange,
  run?: Times,
  { isOpenEdition = false, most = Infinity }: { isOpenEdition?: boolean; most?: number } = {},
): string[] {
  const { reason, by, startMs, endMs, startMoves, endMoves } = change
  switch (reason) {
    case 'units':
      return unitsText(change.units, change.unitMoves, isOpenEdition)
    case 'values':
      return [change.values ? valuesText(change, most, isOpenEdition) : `choices changed by ${authors[by]}`]
    case 'rescheduled':
      return [
        ...movedText('start', startMs, startMoves, `by ${authors[by]}`),
        ...movedText('end', endMs, endMoves, `by ${authors[by]} before the start`),
      ]
    case 'reviewed':
      return [
        ...movedText('start', startMs, startMoves, 'by a review'),
        ...movedText('end', endMs, endMoves, 'by a review'),
      ]
    case 'ended':
    case 'withdrawn':
      return earlyEndText(change, run)
    case 'extended':
      return movedText('end', endMs, endMoves, `by ${authors[by]}`)
    case 'outage':
      return movedText('end', endMs, endMoves, 'after an outage')
    case 'restored':
      if (endMoves === 0) return []
      return [endMs === 0 ? 'put back on sale' : `put back on sale, end moved ${moveText(endMs)}`]
  }
}

function earlyEndText({ reason, by, endMs }: RunChange, run: Times | undefined): string[] {
  if (endMs === 0) return []
  if (run && neverBegan(run)) return [`start canceled by ${authors[by]}`]
  return [`${reason === 'ended' ? 'ended' : 'taken off sale'} ${durationText(endMs)} early by ${authors[by]}`]
}

/**
 * Returns the parts of the line under the clock of a drop page: the run, what the previous run sold, the planned
 * return, and the changes.
 */
export function historyParts({
  run,
  history,
  isOpenEdition = false,
  ...times
}: { run: number; history?: DropHistory; isOpenEdition?: boolean } & Times): HistoryPart[] {
  const since = times.startedAt
  const parts: HistoryPart[] = [{ kind: 'run', text: isOpenEdition ? historyTexts.openRun : `Run ${run}`, since }]
  if (!history) return parts
  const { previous, returnsAt, isReturnSure, changes, isRecorded, early } = history
  if (previous) {
    parts.push({ kind: 'previousRun', text: `run ${previous.run} ${soldText(previous)}`, since: previous.endTime })
  }
  if (returnsAt) {
    parts.push({
      kind: 'return',
      text: isReturnSure ? historyTexts.returnsSure : historyTexts.mayReturn,
      at: returnsAt,
    })
  }
  if (early) parts.push({ kind: 'early', text: earlySoldText(early.minutes, early.sold), since })
  const changed = changes.flatMap((change) =>
    changeTexts(change, { ...times, early }, { isOpenEdition, most: MOST_IN_LINE }).map((text) => ({
      kind: 'change' as const,
      text,
      since: change.at,
    })),
  )
  parts.push(...changed)
  if (changed.length === 0 && isRecorded) {
    parts.push({ kind: 'unchanged', text: isOpenEdition ? historyTexts.unchangedOpen : historyTexts.unchanged })
  }
  return parts
}

/** A recorded fact and its moment. The text of a planned return also contains the moment, in UTC. */
export type DropFact = { kind: HistoryPart['kind']; text: string; at: string | null }

/** Returns the line under the clock as facts, for programs that read a drop (docs/contract.md#drop). */
export function toFacts(drop: Parameters<typeof historyParts>[0]): DropFact[] {
  return historyParts(drop).map(({ kind, text, at, since }) => ({
    kind,
    text: at === undefined ? text : `${text} ${formatUtc(new Date(at))}`,
    at: at ?? since ?? null,
  }))
}
