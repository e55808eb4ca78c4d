// Tests what people read about a drop outside of its page: the description in link previews, the preview picture, the
// story picture and the emails.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { findShownDrop } from '@/lib/drops/history/history-queries'
import { noticeMail } from '@/lib/followers/mails'
import { closeDatabase, db } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { Preview } from '@/lib/previews/draw-drop-preview'
import { Story } from '@/lib/previews/draw-story'
import {
  dropMetadata,
  type PreviewedDrop,
  previewImagePath,
  previewVersion,
  toPreviewedDrop,
} from '@/lib/previews/drop-metadata'
import { startMail } from '@/lib/waitlist/mails'
import { makeDrop, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const look = async ({ uniqueId }: { uniqueId: string }) => toPreviewedDrop((await findShownDrop(visitor(), uniqueId))!)

/** Returns the words of the description, the preview picture and the story picture. */
function wordsOf(drop: PreviewedDrop): string[] {
  const shown = { drop, title: null, photo: null }
  const pictures = [
    createElement(Preview, shown),
    createElement(Story, { ...shown, link: 'https://lastcall.example/drop/mug' }),
  ]
  return [String(dropMetadata(drop).description), ...pictures.map((picture) => renderToStaticMarkup(picture))]
}

it('previews and the story of a scheduled drop name its start in the time zone of its seller, and the handle', async () => {
  const seller = await makeSeller({ timezone: 'America/New_York' })
  // A Friday at eight in New York, long after every test.
  const startedAt = new Date('2100-01-09T01:00:00.000Z')
  const endTime = new Date(startedAt.getTime() + 24 * HOUR_MS)
  const drop = await look(await makeDrop({ userId: seller.id, startedAt, endTime }))
  for (const words of wordsOf(drop)) {
    expect(words).toContain('Starts Fri, Jan 8, 8:00 PM EST')
    expect(words).toContain(`@${seller.username}`)
    expect(words).not.toMatch(/Ends/)
  }
})

it('the end is in the time zone of the seller, and in UTC without such a setting', async () => {
  const endTime = new Date('2100-01-09T01:00:00.000Z')
  for (const [timezone, end] of [
    ['Asia/Tokyo', 'Ends Sat, Jan 9, 10:00 AM GMT+9'],
    [undefined, 'Ends Sat, Jan 9, 1:00 AM UTC'],
  ] as const) {
    const seller = await makeSeller(timezone ? { timezone } : {})
    const drop = await look(await makeDrop({ userId: seller.id, endTime }))
    for (const words of wordsOf(drop)) expect(words).toContain(end)
  }
})

it('the pictures are drawn again when the seller changes the handle or the time zone', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id })
  const versions = [previewVersion(await look(drop))]
  for (const data of [{ timezone: 'Europe/Paris' }, { username: `${seller.username}2` }]) {
    await db().user.update({ where: { id: seller.id }, data })
    versions.push(previewVersion(await look(drop)))
  }
  expect(new Set(versions).size).toBe(3)
})

it('the address of the preview picture changes with the title, the price, the photo and the state', async () => {
  const drop = await makeDrop()
  await db().dropImage.create({
    data: {
      dropId: drop.id,
      position: 0,
      key: `drops/${drop.uniqueId}-a`,
      width: 640,
      height: 800,
      placeholder: '',
      widths: [640],
    },
  })
  const address = async () => previewImagePath(await look(drop))
  const seen = [await address()]
  // Without a change, apps need not load the picture again.
  expect(await address()).toBe(seen[0])
  const change = async (write: Promise<unknown>) => {
    await write
    seen.push(await address())
  }
  const where = { id: drop.id }
  await change(db().drop.update({ where, data: { title: 'Another mug' } }))
  await change(db().drop.update({ where, data: { priceCents: 2500 } }))
  await change(db().dropImage.updateMany({ where: { dropId: drop.id }, data: { key: `drops/${drop.uniqueId}-b` } }))
  await change(db().drop.update({ where, data: { sold: drop.quantity } }))
  await change(db().drop.update({ where, data: { sold: 0, isActive: false } }))
  await change(db().drop.update({ where, data: { isActive: true, endTime: new Date(Date.now() - HOUR_MS) } }))
  expect(new Set(seen).size).toBe(7)
})

it('the story leaves the place of the link sticker free of a QR code', async () => {
  const [, , story = ''] = wordsOf(await look(await makeDrop()))
  expect(story).toContain('lastcall.example/drop/mug')
  expect(story).not.toContain('<svg')
})

it('neither previews, story nor emails speak of a last chance while a return is planned', async () => {
  const seller = await makeSeller({ plan: 'pro', autoRenewDrops: true, timezone: 'Europe/London' })
  const row = await makeDrop({ userId: seller.id, productType: 'digital', sold: 1 })
  const drop = await look(row)
  const words = wordsOf(drop)
  for (const shown of words) expect(shown).toMatch(/Returns \w{3}, \w{3} \d/)

  const follower = { id: 1, email: 'follower@example.com', confirmedAt: new Date(), timezone: null }
  const facts = { ...row, noticeId: 1, dropId: row.id, username: seller.username!, hasSurcharge: false }
  const mails = (['scheduled', 'live', 'lastHour'] as const).map((kind) =>
    noticeMail(follower, { ...facts, kind, earlyOpensAt: null, mayReturn: true }, 'https://lastcall.example'),
  )
  const start = { run: 1, at: row.startedAt, end: row.endTime, isAhead: false }
  const reminder = startMail(follower, { ...row, hasSurcharge: false }, start, 'https://lastcall.example')
  expect(mails[2]?.text).toContain('It may come back after that.')
  const all = [...words, ...[...mails, reminder].map(({ subject, text }) => `${subject}\n${text}`)].join('\n')
  expect(all).not.toMatch(/last (chance|call)|final|never again|only today/i)
})
