import 'server-only'
import type { Context } from '@/lib/infra/context'
import { storage } from '@/lib/infra/storage'
import type { UserActor } from '@/lib/kernel/actor'
import { contentTypeOf } from '@/lib/kernel/file-kind'
import { newId } from '@/lib/kernel/id'
import { planRules } from '@/lib/plans/rules'
import { assertRoomForFiles } from './assert-room-for-files'
import { rememberObjects } from './claim-objects'
import { uploadError } from './messages'
import { KEEP_MS, kindOfName, maxBytesOf, UPLOAD_MS, type UploadPurpose } from './rules'
import type { StartUploadsInput } from './schema'
import type { StartedUpload } from './view'

/** The route to which the storage reports arrivals. */
const CALLBACK_PATH = '/api/uploadthing'

/**
 * Lets the browser send files directly to the storage. The rows are written before the URLs are returned, so that the
 * sweep finds every upload that no form uses in time.
 * @throws NOT_DIRECT, IMAGE_TOO_LARGE, FILE_TOO_LARGE, BAD_KIND, PLAN_REQUIRED, STORAGE_FULL
 */
export async function startUploads(ctx: Context<UserActor>, { files }: StartUploadsInput): Promise<StartedUpload[]> {
  const { direct } = storage()
  if (!direct) throw uploadError('NOT_DIRECT')
  // Pictures are compressed and replaced by small ones, so only files for buyers count.
  if (files.some(({ purpose }) => purpose === 'file')) await assertRoomForFiles(ctx)
  const uploads = files.map((file) => {
    assertAllowed(ctx.actor, file)
    const key = newKey(file)
    return { ...file, key, contentType: contentTypeOf(key) }
  })
  const now = ctx.clock.now()
  const keepUntil = new Date(now.getTime() + KEEP_MS)
  await rememberObjects(
    ctx,
    uploads.map(({ key, bytes, fileName }) => ({ key, bytes, fileName, keepUntil })),
  )
  const expiresAt = new Date(now.getTime() + UPLOAD_MS)
  const urls = await direct.addressesFor(uploads, expiresAt, ctx.appUrl + CALLBACK_PATH)
  return uploads.map(({ key, fileName, contentType }, at) => ({ key, url: urls[at] ?? '', fileName, contentType }))
}

type File = { purpose: UploadPurpose; fileName: string; bytes: number }

function assertAllowed(actor: UserActor, { purpose, fileName, bytes }: File): void {
  const isTooLarge = bytes > maxBytesOf[purpose]
  if (purpose === 'picture') {
    if (isTooLarge) throw uploadError('IMAGE_TOO_LARGE')
    return
  }
  if (!planRules(actor).productTypes.includes('digital')) throw uploadError('PLAN_REQUIRED')
  if (isTooLarge) throw uploadError('FILE_TOO_LARGE')
  if (!kindOfName(fileName)) throw uploadError('BAD_KIND')
}

/**
 * A file gets its final key, with the extension that its bytes must match later. A picture gets a temporary key until
 * it is encoded.
 */
function newKey({ purpose, fileName }: File): string {
  return purpose === 'file' ? `files/${newId('f')}.${kindOfName(fileName)}` : `incoming/${newId('i')}`
}
