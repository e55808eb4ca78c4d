import 'server-only'
import { fileTypeFromFile } from 'file-type'
import { FILE_KINDS, type FileKind } from '@/lib/kernel/file-kind'

/** What the bytes are called by who recognises them, where that differs from our name. */
const SAME: Record<string, FileKind> = { m4v: 'mp4' }

/**
 * What a file is, from its bytes. Its name only tells apart what looks the same from outside: an old Word document from
 * the other formats in its container.
 * @returns null when it is none of the kinds a digital drop may be (SPEC §9).
 */
export async function recogniseFile(file: string, fileName: string): Promise<FileKind | null> {
  const sniffed = await fileTypeFromFile(file).catch(() => undefined)
  if (!sniffed) return null
  if (sniffed.ext === 'cfb') return /\.doc$/i.test(fileName) ? 'doc' : null
  const kind = SAME[sniffed.ext] ?? sniffed.ext
  return FILE_KINDS.find((known) => known === kind) ?? null
}
