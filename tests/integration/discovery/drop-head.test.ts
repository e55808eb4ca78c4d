// Tests what the head of a drop's page says to search engines and to apps that show previews.
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { closeDatabase } from '@/lib/infra/db'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { dropMetadata, toPreviewedDrop } from '@/lib/previews/drop-metadata'
import { makeDrop, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

async function headOf(overrides: Parameters<typeof makeDrop>[0]) {
  const { uniqueId } = await makeDrop(overrides)
  return { head: dropMetadata(toPreviewedDrop((await findShownDrop(visitor(), uniqueId))!)), uniqueId }
}

/** Returns the dates of a drop that ended this long ago. */
function endedFor(ms: number) {
  const endTime = new Date(Date.now() - ms)
  return { endTime, startedAt: new Date(endTime.getTime() - DAY_MS), archivedAt: endTime, isActive: false }
}

it('the title has at most 60 and the description at most 155 characters, however long the texts of the seller are', async () => {
  const { head } = await headOf({ title: `${'Mug '.repeat(29)}mug`, description: 'Thrown by hand. '.repeat(200) })
  const { openGraph, twitter, title, description } = head
  expect([...String(openGraph?.title)].length).toBeLessThanOrEqual(60)
  expect([...String(openGraph?.description)].length).toBeLessThanOrEqual(155)
  expect(openGraph).toMatchObject({ title, description, siteName: 'Lastcall', type: 'website' })
  expect(twitter).toMatchObject({ title, description })
})

it('search engines may list a drop until 30 days after its end, and its link stays the same', async () => {
  for (const [name, dates, robots] of [
    ['live', {}, undefined],
    ['ended for 29 days', endedFor(30 * DAY_MS - HOUR_MS), undefined],
    ['ended for 30 days', endedFor(30 * DAY_MS + HOUR_MS), { index: false }],
    ['paused', { isActive: false }, { index: false }],
  ] as const) {
    const { head, uniqueId } = await headOf(dates)
    expect([name, head.robots]).toEqual([name, robots])
    expect(head.alternates?.canonical).toBe(`/drop/${uniqueId}`)
  }
})

it('the head links to the oEmbed data of the page', async () => {
  const { head, uniqueId } = await headOf({})
  const page = encodeURIComponent(`http://localhost:3000/drop/${uniqueId}`)
  expect(head.alternates?.types).toEqual({ 'application/json+oembed': `/api/oembed?format=json&url=${page}` })
})
