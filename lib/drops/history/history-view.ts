import type { RunChangeReason } from './history-rules'
import { optionKey } from '../options/option-rules'

/**
 * A value of the option that changed: its units before and after. `before` is null for an added value, and `after` is
 * null for a removed one.
 */
export type ValueChange = { value: string; before: number | null; after: number | null }

/** A change of the times or units of a run, with its reason and author. */
export type RunChange = {
  reason: RunChangeReason
  by: 'seller' | 'platform'
  /**
   * How many milliseconds the start and the end moved (negative: earlier), and how many units were added (negative:
   * removed).
   */
  startMs: number
  endMs: number
  units: number
  /** How many times the start, the end and the units changed. If they moved and moved back, the amount above is 0. */
  startMoves: number
  endMoves: number
  unitMoves: number
  /** When the change was made. Of several changes that are added up, this is the last. */
  at: string
  /** The name of the option, and which of its values changed; left out when no value changed or none was recorded. */
  optionName?: string
  values?: ValueChange[]
}

/** A change as Postgres returns it, with the lists of values of all changes that are added up. */
export type RunChangeRow = Omit<RunChange, 'optionName' | 'values'> & {
  optionName: string | null
  values: (ValueChange[] | null)[] | null
}

/** What followers bought before the public start of a run, and how many minutes they had. */
type EarlySales = { minutes: number; sold: number }

type RunFacts<Moment> = {
  run: number
  quantity: number
  sold: number
  /** How many of the sold units were refunded in full and are not on sale again. */
  refunded: number
  startedAt: Moment
  endTime: Moment
  /**
   * When the last unit of the run was sold; null while units are left, and for runs for which this was not recorded.
   */
  soldOutAt: Moment | null
  /** Null or missing when followers bought nothing before the start. */
  early?: EarlySales | null
}

/** One run of a drop. */
export type RunView = RunFacts<string>

/** One run on the page of all runs, with each change separately. */
export type PastRunView = RunView & {
  /** The end that was announced first; null for runs for which it was not recorded. */
  firstEndTime: string | null
  isAutoRenew: boolean
  changes: RunChange[]
  /** How many older changes are left out (MAX_LISTED_CHANGES). */
  olderChanges: number
}

/** A run on the page of all runs, as Postgres returns it. */
export type PastRunRow = Omit<PastRunView, 'changes' | 'olderChanges'> & {
  changes: RunChangeRow[]
  changeCount: number
}

/** What is recorded about a drop, as Postgres returns it: times in JSON are strings. */
export type HistoryRow = {
  /** Whether the end that was announced first is recorded. */
  isRecorded: boolean
  sold: number
  previous: RunFacts<string> | null
  returnsAt: Date | null
  isReturnSure: boolean
  changes: RunChangeRow[] | null
  early: EarlySales | null
}

/** What is recorded about a drop's runs: the facts of the line under its clock (docs/product.md#history-of-a-drop). */
export type DropHistory = {
  /** Whether changes of this run have been recorded since it was announced. */
  isRecorded: boolean
  /** How many units this run has sold, without units of the run before that were paid after this run began. */
  sold: number
  previous: RunView | null
  /** When auto-renew plans to start the next run; null without a plan. */
  returnsAt: string | null
  /**
   * Whether the return is certain as long as auto-renew stays on and the seller's plan has room for it. Otherwise it
   * depends on what is sold until the end.
   */
  isReturnSure: boolean
  /**
   * The changes of this run, added up by reason and author, in the order in which each reason and author first
   * occurred. Of several early ends, `endMs` is that of the last.
   */
  changes: RunChange[]
  /** What followers bought before the public start of this run; null when they bought nothing then. */
  early?: EarlySales | null
}

const toIso = (time: string) => new Date(time).toISOString()

/** Returns the public view of a run. */
export function toRunView<Run extends RunFacts<string>>(run: Run): Run {
  const soldOutAt = run.soldOutAt !== null && run.sold >= run.quantity ? toIso(run.soldOutAt) : null
  return { ...run, startedAt: toIso(run.startedAt), endTime: toIso(run.endTime), soldOutAt }
}

/** Returns the public view of a change. Changes of the same value are added up. */
export function toRunChange({ optionName, values, ...row }: RunChangeRow): RunChange {
  const change = { ...row, at: toIso(row.at) }
  const lists = (values ?? []).filter((list) => list !== null)
  if (optionName === null || lists.length === 0) return change
  return { ...change, optionName, values: addUp(lists.flat()) }
}

/**
 * Adds up changes of values in the order in which they were made. A value that is as it was before is left out, and one
 * that was spelled differently has its last spelling.
 */
function addUp(changes: readonly ValueChange[]): ValueChange[] {
  const sums = new Map<string, ValueChange>()
  for (const change of changes) {
    const key = optionKey(change.value)
    sums.set(key, { ...change, before: (sums.get(key) ?? change).before })
  }
  return [...sums.values()].filter(({ before, after }) => before !== after)
}

/** Returns the public view of a drop's history. */
export function toDropHistory({
  isRecorded,
  sold,
  previous,
  returnsAt,
  isReturnSure,
  changes,
  early,
}: HistoryRow): DropHistory {
  return {
    isRecorded,
    sold,
    previous: previous ? toRunView(previous) : null,
    returnsAt: returnsAt?.toISOString() ?? null,
    isReturnSure,
    changes: (changes ?? []).map(toRunChange),
    early,
  }
}
