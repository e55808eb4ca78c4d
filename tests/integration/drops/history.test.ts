import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { GET } from '@/app/api/drop/[identifier]/route'
import { HistoryLine } from '@/components/drop-page/history-line'
import { RunsList } from '@/components/drop-page/runs-list'
import { endDrop } from '@/lib/drops/end-drop'
import { listRuns } from '@/lib/drops/history/history-queries'
import type { RunChange } from '@/lib/drops/history/history-view'
import { noteRunChange } from '@/lib/drops/history/note-run-change'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import type { DropView } from '@/lib/drops/view'
import { systemContext, transaction } from '@/lib/infra/context'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { restockUnits } from '@/lib/refunds/restock-units'
import { randomFrom } from '@/tests/support/chance'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { playHistory, type SeenChange, type SeenRun } from '@/tests/support/play-history'
import { sellUnits } from '@/tests/support/sell-units'

afterAll(closeDatabase)

/** The number of random histories that are played. Set HISTORIES=1000 to play more. */
const HISTORIES = Number(process.env.HISTORIES ?? 40)

const textOf = (markup: string) =>
  markup
    .replace(/<(?:li|dt|h2|p)[ >]/g, '\n$&')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')

async function fetchView(identifier: string): Promise<DropView> {
  const request = new Request(`http://localhost/api/drop/${identifier}`)
  const response = await GET(request as never, { params: Promise.resolve({ identifier }) } as never)
  expect(response.status).toBe(200)
  return (await response.json()) as DropView
}

/** Formats a duration independently of durationText(), so that the test does not compare the code with itself. */
function span(ms: number): string {
  const minutes = Math.floor(Math.abs(ms) / MINUTE_MS)
  if (minutes === 0) return `${Math.max(1, Math.floor(Math.abs(ms) / 1_000))} s`
  const days = minutes >= 3 * 24 * 60 ? Math.floor(minutes / (24 * 60)) : 0
  const rest = minutes - days * 24 * 60
  return [
    ...(days > 0 ? [`${days} days`] : []),
    ...(rest >= 60 ? [`${Math.floor(rest / 60)} h`] : []),
    ...(rest % 60 > 0 ? [`${rest % 60} min`] : []),
  ].join(' ')
}

const move = (ms: number) => (ms < 0 ? '−' : '+') + span(ms)
const author = (by: string) => (by === 'seller' ? 'its seller' : 'the platform')

type Summed = SeenChange & { startMoves: number; endMoves: number; unitMoves: number }

/** Returns the values whose units a change altered. The test compares them itself, without the code under test. */
function valuesOf({ values }: SeenChange) {
  const [before, after] = values ?? [{}, {}]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((value) => ({ value, before: before[value] ?? null, after: after[value] ?? null }))
    .filter((value) => value.before !== value.after)
}

/** Returns a change as the API returns it. The values are sorted, because their order means nothing. */
function shown({ values, ...change }: Summed) {
  return values ? { ...change, optionName: 'Size', values: sorted(valuesOf({ ...change, values })) } : change
}
const sorted = <Value extends { value: string }>(values: Value[]) =>
  values.toSorted((a, b) => a.value.localeCompare(b.value))
const withSortedValues = ({ at: _at, ...change }: RunChange) =>
  change.values ? { ...change, values: sorted(change.values) } : change
/** Sorts the values that a part of the line names. Of more than four values, the line says how many it leaves out. */
function inAnyOrder(text: string): string {
  const sum = /^\d+ units? added: /.exec(text)?.[0] ?? ''
  const pieces = text.slice(sum.length).split(', ')
  const left = / and (\d+) more changes?$/.exec(text)?.[1]
  return sum + (pieces.length > 4 || left ? `${left ?? pieces.length - 4} more` : pieces.toSorted().join(', '))
}

function wordsOfValues(change: SeenChange): string[] {
  const values = valuesOf(change)
  const gains = values.map(({ before, after }) => (before === null || after === null ? 0 : after - before))
  if (values.length > 0 && gains.every((gained) => gained > 0)) {
    const sum = gains.reduce((total, gained) => total + gained, 0)
    const [first, ...rest] = values.map(({ value }, at) => `${gains[at]} ${value}`)
    return [`${sum} ${sum === 1 ? 'unit' : 'units'} added: ${first}`, ...rest]
  }
  const lines = values.map(({ value, before, after }) => {
    if (after === null) return `Size ${value} removed`
    if (before === null) return `Size ${value} added with ${after} ${after === 1 ? 'unit' : 'units'}`
    return after < before ? `${before - after} ${value} fewer` : `${after - before} ${value} more`
  })
  return lines.length > 0 ? lines : ['choices changed and changed back']
}

const counted = (change: SeenChange): Summed => ({
  ...change,
  startMoves: Number(change.startMs !== 0),
  endMoves: Number(change.endMs !== 0),
  unitMoves: Number(change.units !== 0),
})

const moved = (what: string, ms: number, why: string) =>
  ms === 0 ? `${what} moved and moved back ${why}` : `${what} moved ${move(ms)} ${why}`

function words(change: Summed, { isCanceled }: SeenRun): string[] {
  const { reason, by, startMs, endMs, units, ...moves } = change
  if (reason === 'values') return [wordsOfValues(change).join(', ')]
  if (reason === 'units') return [units === 1 ? '1 unit added' : `${units} units added`]
  if (reason === 'rescheduled') {
    const [start, end] = [
      moved('start', startMs, 'by its seller'),
      moved('end', endMs, 'by its seller before the start'),
    ]
    return [...(moves.startMoves ? [start] : []), ...(moves.endMoves ? [end] : [])]
  }
  if (moves.endMoves === 0) return []
  if (isCanceled && (reason === 'ended' || reason === 'withdrawn')) return [`start canceled by ${author(by)}`]
  if (reason === 'ended') return [`ended ${span(endMs)} early by ${author(by)}`]
  if (reason === 'withdrawn') return [`taken off sale ${span(endMs)} early by ${author(by)}`]
  if (reason === 'extended') return [moved('end', endMs, 'by the platform')]
  if (reason === 'outage') return [moved('end', endMs, 'after an outage')]
  return [endMs === 0 ? 'put back on sale' : `put back on sale, end moved ${move(endMs)}`]
}

const sale = ({ sold, quantity, soldOutMs, isCanceled }: SeenRun) =>
  isCanceled
    ? 'canceled before its start'
    : `sold ${sold} of ${quantity}${soldOutMs === null ? '' : ` in ${span(soldOutMs)}`}`

/**
 * Returns the changes of a run added up by reason and author, in the order in which each reason and author first
 * occurred. Of several early ends, the last counts.
 */
function summed(changes: SeenChange[]): Summed[] {
  const sums = new Map<string, Summed>()
  for (const change of changes.map(counted)) {
    const key = `${change.reason} ${change.by}`
    const sum = sums.get(key) ?? counted({ ...change, startMs: 0, endMs: 0, units: 0, values: null })
    const isEarlyEnd = change.reason === 'ended' || change.reason === 'withdrawn'
    sum.startMs += change.startMs
    sum.endMs = change.endMs + (isEarlyEnd ? 0 : sum.endMs)
    sum.units += change.units
    if (change.values) sum.values = [(sum.values ?? change.values)[0], change.values[1]]
    sum.startMoves += change.startMoves
    sum.endMoves += change.endMoves
    sum.unitMoves += change.unitMoves
    sums.set(key, sum)
  }
  return [...sums.values()]
}

async function returnText(dropId: number, view: DropView, autoRenews: boolean): Promise<string | null> {
  const last = await db().dropRun.findMany({ where: { dropId }, orderBy: { run: 'desc' }, take: 2 })
  const isThird = last.filter(({ isAutoRenew }) => isAutoRenew).length === 2
  if (view.state === 'ended') return view.returnsAt && `returns`
  if (!autoRenews || isThird || !view.isActive) return null
  if (view.productType === 'physical') return view.sold < view.quantity ? 'may return' : null
  return view.sold > 0 ? 'returns' : 'may return'
}

it(
  `the API, the drop page and the runs page show exactly what happened in ${HISTORIES} random histories`,
  async () => {
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const { dropId, seller, seen } = await playHistory(randomFrom(seed * 7919))
      const { uniqueId } = await db().drop.findUniqueOrThrow({ where: { id: dropId } })
      const view = await fetchView(uniqueId)
      const now = seen.at(-1)!
      const before = seen.at(-2)
      const about = `seed ${seed}`
      expect([about, view.run, view.history?.changes.map(withSortedValues)]).toEqual([
        about,
        now.run,
        summed(now.changes).map(shown),
      ])
      expect([about, view.history?.previous?.sold ?? null]).toEqual([about, before?.sold ?? null])
      expect([about, view.history?.sold]).toEqual([about, now.sold])
      const returns = await returnText(dropId, view, seller.autoRenewDrops)
      expect([about, view.history?.returnsAt !== null]).toEqual([about, returns !== null])

      const changed = summed(now.changes).flatMap((change) => words(change, now))
      const parts = [
        `Run ${now.run}`,
        ...(before ? [`run ${before.run} ${sale(before)}`] : []),
        ...(returns ? [`${returns} `] : []),
        ...(changed.length > 0 ? changed : ['times and units unchanged']),
      ]
      const line = textOf(renderToStaticMarkup(createElement(HistoryLine, { drop: view })))
      expect([
        about,
        line
          .replace(/returns? \w{3}, \w{3} \d+, \d+:\d\d [AP]M UTC/, (at) => at.replace(/(returns?) .*/, '$1 '))
          .trim()
          .split(' · ')
          .map(inAnyOrder),
      ]).toEqual([about, parts.map(inAnyOrder)])

      const runs = await listRuns(database(), dropId)
      const [{ endTime: listedEnd = null } = {}] = runs.slice(1)
      expect([about, view.history?.previous?.endTime ?? null]).toEqual([about, listedEnd])
      const listed = renderToStaticMarkup(
        createElement(RunsList, {
          runs,
          current: view.run,
          isOver: view.state === 'ended',
          serverTime: new Date().toISOString(),
        }),
      )
      const sections = listed.split('data-run=').slice(1).map(textOf)
      expect([about, sections.length]).toEqual([about, seen.length])
      seen.toReversed().forEach((run, at) => {
        const section = sections[at]!.toLowerCase()
        expect([about, section]).toEqual([about, expect.stringContaining(sale(run).toLowerCase())])
        const lines = run.changes.map(counted).flatMap((change) => words(change, run))
        for (const text of lines.flatMap((line) => line.split(', ')))
          expect([about, section]).toEqual([about, expect.stringContaining(text.toLowerCase())])
        expect([about, runs[at]!.changes.length]).toEqual([about, run.changes.length])
        if (run.run > 1)
          expect([about, section]).toEqual([
            about,
            expect.stringContaining(run.isAutoRenew ? 'started byauto-renew' : 'started bythe seller'),
          ])
        const ends = Date.parse(runs[at]!.endTime) - Date.parse(runs[at]!.firstEndTime!)
        expect([about, ends]).toEqual([about, run.changes.reduce((sum, { endMs }) => sum + endMs, 0)])
      })
      await db().drop.update({ where: { id: dropId }, data: { hiddenAt: new Date() } })
    }
  },
  HISTORIES * MINUTE_MS,
)

/** Makes a live drop with the recorded first run. */
async function makeRun(startsInMs = -HOUR_MS) {
  const seller = await makeSeller({ plan: 'pro' })
  const startedAt = new Date(Date.now() + startsInMs)
  const endTime = new Date(startedAt.getTime() + 24 * HOUR_MS)
  const drop = await makeDrop({ userId: seller.id, startedAt, endTime, quantity: 24 })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: 24, startedAt, endTime } })
  return { seller, dropId: drop.id, identifier: drop.uniqueId }
}

const lineOf = (drop: DropView) => textOf(renderToStaticMarkup(createElement(HistoryLine, { drop }))).trim()

async function runsPageOf(dropId: number, { run, state, serverTime }: DropView) {
  const props = { runs: await listRuns(database(), dropId), current: run, isOver: state === 'ended', serverTime }
  return textOf(renderToStaticMarkup(createElement(RunsList, props)))
}

it('an end that moved and moved back is not "as announced", and of two early ends the last counts', async () => {
  const { dropId, identifier } = await makeRun()
  const admin = contextFor(actorOf(await makeSeller({ isAdmin: true })))
  const drop = await db().drop.findUniqueOrThrow({ where: { id: dropId } })
  const { endTime } = drop
  const later = new Date(endTime.getTime() + 2 * HOUR_MS)
  for (const [before, after] of [
    [endTime, later],
    [later, endTime],
  ] as const) {
    await transaction(admin, (tx) => noteRunChange(tx, drop, { reason: 'extended', end: [before, after] }))
  }
  expect(lineOf(await fetchView(identifier))).toBe('Run 1 · end moved and moved back by the platform')
  for (const hours of [5, 2]) {
    const early = new Date(endTime.getTime() - hours * HOUR_MS)
    await transaction(admin, (tx) => noteRunChange(tx, drop, { reason: 'ended', end: [endTime, early] }))
  }
  expect(lineOf(await fetchView(identifier))).toContain('ended 2 h early by the platform')
})

it('refunded units of the previous run are named on the page, in the API and on the page of all runs', async () => {
  const { seller, dropId, identifier } = await makeRun()
  const [whole, part, restocked] = [await sellUnits(dropId, 2), await sellUnits(dropId, 2), await sellUnits(dropId, 3)]
  const refund = (order: typeof whole, units: number) =>
    db().order.update({ where: { id: order.id }, data: { refundedCents: units * order.unitPriceCents + 1 } })
  await db().order.update({ where: { id: whole.id }, data: { refundedCents: whole.amountCents } })
  await refund(part, 1)
  await refund(restocked, 2)
  await restockUnits(systemContext('test'), restocked.holdId, 1)
  const times = { startedAt: new Date(Date.now() - 50 * HOUR_MS), endTime: new Date(Date.now() - 26 * HOUR_MS) }
  await db().drop.update({ where: { id: dropId }, data: times })
  await relaunchDrop(contextFor(actorOf(seller)), { dropId, duration: 24 })
  const view = await fetchView(identifier)
  expect(view.history?.previous).toMatchObject({ sold: 6, refunded: 4 })
  expect(lineOf(view)).toContain('run 1 sold 6 of 24, 4 refunded')
  expect(await runsPageOf(dropId, view)).toContain('Sold 6 of 24, 4 refunded')
})

it('a run that has not begun is not "now", and a canceled start did not start', async () => {
  const { seller, dropId, identifier } = await makeRun(5 * HOUR_MS)
  const ahead = await runsPageOf(dropId, await fetchView(identifier))
  expect(ahead).toMatch(/Run 1, not started yet/)
  await endDrop(contextFor(actorOf(seller)), { dropId })
  const view = await fetchView(identifier)
  expect(lineOf(view)).toBe('Run 1 · start canceled by its seller')
  const page = await runsPageOf(dropId, view)
  expect(page).toMatch(/Run 1\n/)
  expect(page).toContain('Canceled before its start')
  expect(page).toContain('Start canceled by its seller')
  expect(page).not.toMatch(/Starts|Started|Ended|now/)
})

it('the runs page shows the year of a time in another year', async () => {
  const { dropId, identifier } = await makeRun()
  const view = await fetchView(identifier)
  const year = new Date().getUTCFullYear()
  expect(await runsPageOf(dropId, view)).not.toContain(`, ${year}`)
  expect(await runsPageOf(dropId, { ...view, serverTime: `${year + 1}${view.serverTime.slice(4)}` })).toContain(
    `, ${year},`,
  )
})
