import 'server-only'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Drop, Prisma } from '@prisma/client'
import { db, type Db } from '@/lib/infra/db'
import { sha256 } from '@/lib/infra/crypto'
import { processPhoto, type Photo } from '@/lib/infra/images'
import { storage } from '@/lib/infra/storage'
import { contentTypeOf } from '@/lib/kernel/file-kind'
import { newId, newSecret, newUniqueId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import type { RunChangeReason } from '@/lib/drops/history/history-rules'
import { sendToReview } from '@/lib/drops/send-to-review'
import { lexicon } from '@/lib/moderation/lexicon'
import { describeFinding, scanTexts } from '@/lib/moderation/rules'
import type { DemoDrop } from './demo-drop'
import { demoZones } from './demo-zones'

const seedFile = (...names: string[]) => path.join(process.cwd(), 'prisma', 'seed', ...names)

/** Processes and stores pictures of the demo in the same way as uploaded pictures. */
export async function storePictures(names: readonly string[]): Promise<Photo[]> {
  const photos: Photo[] = []
  for (const name of names) {
    const photo = await processPhoto(seedFile('images', name))
    if (typeof photo === 'string') throw new Error(`demo picture ${name}: ${photo}`)
    await db().storedObject.createMany({
      data: photo.files.map((file) => ({ key: file.key, bytes: file.bytes.length })),
    })
    for (const file of photo.files) await storage().put(file.key, file.bytes)
    photos.push(photo)
  }
  return photos
}

type StoredFile = Prisma.DigitalFileCreateWithoutDropInput & { storageKey: string }

/** Stores the file that buyers of a digital drop download, as if the seller had uploaded it. */
export async function storeDigitalFile(fileName: string): Promise<StoredFile> {
  const content = await readFile(seedFile('files', fileName))
  const storageKey = `files/${newId('f')}${path.extname(fileName)}`
  const [bytes, hash] = [content.length, createHash('sha256').update(content).digest('hex')]
  await db().storedObject.create({ data: { key: storageKey, bytes, sha256: hash } })
  await storage().put(storageKey, content)
  return { source: 'upload', storageKey, fileName, contentType: contentTypeOf(fileName), bytes, sha256: hash }
}

/** The pictures and the file of a drop. They are put into storage before the rows of the drop are written. */
export type StoredObjects = { photos: Photo[]; file: StoredFile | null }

/** Writes a drop as it would look now if its seller had launched it at the time given in the demo data. */
export async function seedDrop(tx: Db, userId: number, drop: DemoDrop, { photos, file }: StoredObjects): Promise<Drop> {
  const keys = photos.flatMap((photo) => photo.files.map(({ key }) => key)).concat(file?.storageKey ?? [])
  await tx.storedObject.updateMany({
    where: { key: { in: keys } },
    data: { claimedAt: new Date(), ownerId: userId },
  })
  const endTime = new Date(Date.now() + drop.endsInHours * HOUR_MS)
  const { units: addedUnits = 0, hours: addedHours = 0 } = drop.added ?? {}
  const firstEndTime = new Date(endTime.getTime() - addedHours * HOUR_MS)
  const startedAt = new Date(firstEndTime.getTime() - drop.duration * HOUR_MS)
  const isOver = drop.endsInHours <= 0
  const earlierRuns = drop.earlierRun ? [earlierRunOf(drop, drop.earlierRun)] : []
  const viewsBefore = drop.earlierRun ? Math.round(drop.views / 3) : 0
  const row = await tx.drop.create({
    data: {
      hours: { create: seedHours(drop.views, startedAt, new Date(Math.min(Date.now(), endTime.getTime()))) },
      uniqueId: newUniqueId(),
      customSlug: drop.customSlug ?? null,
      userId,
      title: drop.title,
      description: drop.description,
      productType: drop.productType,
      priceCents: drop.priceCents,
      quantity: drop.quantity,
      run: earlierRuns.length + 1,
      maxPerBuyer: drop.maxPerBuyer ?? null,
      ...drop.early,
      isNumbered: drop.isNumbered ?? false,
      isOpenEdition: drop.isOpenEdition ?? false,
      ...seedKeys(drop),
      ...seedOption(drop),
      codes: { create: (drop.codes ?? []).map(({ uses: _uses, ...code }) => code) },
      duration: drop.duration,
      condition: drop.condition ?? 'new',
      shippingNote: drop.shippingNote,
      shipsFrom: drop.shipsFrom ?? null,
      shipsWithin: drop.shipsWithin ?? null,
      ...(demoZones[drop.key] ? { shippingZones: demoZones[drop.key] } : {}),
      views: drop.views,
      startedAt,
      endTime,
      createdAt: new Date(Math.min(Date.now(), (earlierRuns[0]?.startedAt ?? startedAt).getTime())),
      isActive: !isOver,
      archivedAt: isOver ? endTime : null,
      isFeatured: drop.isFeatured ?? false,
      isPinned: drop.isPinned ?? false,
      moderation: drop.state === 'review' ? 'review' : 'allowed',
      runs: {
        create: [
          ...earlierRuns,
          {
            run: earlierRuns.length + 1,
            quantity: drop.quantity,
            sold: drop.sold,
            viewsBefore,
            startedAt,
            endTime,
            firstEndTime,
            earlyMinutes: drop.early?.earlyMinutes ?? null,
          },
        ],
      },
      images: { create: photos.map(({ files: _files, ...photo }, position) => ({ ...photo, position })) },
      ...(file ? { digitalFile: { create: file } } : {}),
    },
  })
  const [units, at] = [drop.quantity, new Date(Math.min(Date.now(), startedAt.getTime() + HOUR_MS))]
  const noteChange = (change: { reason: RunChangeReason } & Partial<Prisma.RunChangeCreateManyInput>) =>
    tx.runChange.create({ data: { dropId: row.id, run: row.run, at, ...change } })
  if (addedUnits > 0)
    await noteChange({ reason: 'units', authorId: userId, unitsBefore: units - addedUnits, unitsAfter: units })
  if (addedHours > 0) await noteChange({ reason: 'outage', endBefore: firstEndTime, endAfter: endTime })
  await seedWaiting(tx, row, drop)
  if (drop.state === 'review') await holdForReview(tx, row.id, drop)
  return row
}

/**
 * Writes the people who wait for a unit of the drop or, after its end, for its next run. They joined over the last
 * hours.
 */
async function seedWaiting(tx: Db, { id: dropId, run, endTime }: Drop, { key, waiting }: DemoDrop): Promise<void> {
  if (!waiting) return
  const { value, count } = waiting
  const wanted = value ? await tx.optionValue.findFirstOrThrow({ where: { dropId, value } }) : null
  const isOver = endTime.getTime() <= Date.now()
  const stepMs = isOver ? Math.min(HOUR_MS, (Date.now() - endTime.getTime()) / (count + 1)) : HOUR_MS / 4
  await tx.waitlistEntry.createMany({
    data: Array.from({ length: count }, (_, at) => {
      const email = `waiting${at + 1}.${key}@example.com`
      const joinedAt = new Date(Date.now() - (at + 1) * stepMs)
      const asked = { createdAt: joinedAt, joinedAt, confirmedAt: joinedAt, valueId: wanted?.id ?? null }
      return { dropId, run, email, mailbox: email, tokenHash: sha256(newSecret()), ...asked }
    }),
  })
}

/** Returns the row of the run before the drop's present run. */
export function earlierRunOf({ duration }: DemoDrop, earlier: NonNullable<DemoDrop['earlierRun']>) {
  const endTime = new Date(Date.now() - earlier.endedHoursAgo * HOUR_MS)
  const startedAt = new Date(endTime.getTime() - duration * HOUR_MS)
  return { run: 1, quantity: earlier.quantity, sold: earlier.sold, startedAt, endTime }
}

/** Returns the fields of a drop's option and of its values; empty for a drop without options. */
function seedOption({ option }: DemoDrop) {
  if (!option) return {}
  return {
    optionName: option.name,
    values: { create: option.values.map((value, position) => ({ ...value, position })) },
  }
}

/** Returns one key for each unit of a drop with keys, such as "QUIET-7K2M-0001"; empty for any other drop. */
function seedKeys({ keyPrefix, quantity }: DemoDrop) {
  if (!keyPrefix) return {}
  const keyOf = (at: number) =>
    `${keyPrefix}-${newSecret()
      .replace(/[^A-Za-z0-9]/g, '')
      .slice(0, 8)
      .toUpperCase()}-${String(at + 1).padStart(4, '0')}`
  return { keysGiven: 0, keys: { create: Array.from({ length: quantity }, (_, at) => ({ key: keyOf(at) })) } }
}

/** Holds a drop for review with the scanner's own finding, so that the review queue looks as it would in production. */
async function holdForReview(tx: Db, dropId: number, { title, description }: DemoDrop): Promise<void> {
  const [finding] = scanTexts({ title, description }, lexicon)
  if (!finding) throw new Error(`the scanner found nothing to review in "${title}"`)
  await sendToReview({ db: tx }, dropId, 'create', { category: finding.category, details: describeFinding(finding) })
}

const SOURCES = [
  ['instagram', 0.52],
  ['tiktok', 0.23],
  ['direct', 0.15],
  ['x', 0.1],
] as const

/**
 * Spreads the drop's views over its hours so far, with one rush after the launch and a second one about 20 hours later.
 * The same input always gives the same rows.
 */
function seedHours(views: number, startedAt: Date, until: Date) {
  const first = Math.floor(startedAt.getTime() / HOUR_MS) * HOUR_MS
  const hours = Array.from({ length: Math.ceil((until.getTime() - first) / HOUR_MS) }, (_, at) => first + at * HOUR_MS)
  const weights = hours.map((_, at) => 3 * Math.exp(-at / 5) + Math.exp(-((at - 20) ** 2) / 12) + 0.25)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  let [due, given] = [0, 0]
  return hours.flatMap((hour, at) =>
    SOURCES.map(([source, fraction]) => {
      // The running sum is rounded instead of each part, so that the parts add up to the drop's views exactly.
      due += (views * fraction * (weights[at] ?? 0)) / whole
      const seen = Math.round(due) - given
      given += seen
      return { hour: new Date(hour), source, views: seen, taps: Math.ceil(seen * 0.08) }
    }).filter((row) => row.views > 0),
  )
}
