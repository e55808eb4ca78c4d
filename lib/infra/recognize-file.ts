import 'server-only'
import { fileTypeFromFile } from 'file-type'
import { FILE_KINDS, type FileKind } from '@/lib/kernel/file-kind'

/** Maps the extensions that the file-type package reports to our kinds where the names differ. */
const SAME: Record<string, FileKind> = { m4v: 'mp4' }

/**
 * Recognizes the kind of a file from its bytes. The name decides only whether an old Office container is a Word
 * document.
 * @returns null when the file is none of the kinds that a digital drop may be (docs/product.md#digital-files).
 */
export async function recognizeFile(file: string, fileName: string): Promise<FileKind | null> {
  const sniffed = await fileTypeFromFile(file).catch(() => undefined)
  if (!sniffed) return null
  if (sniffed.ext === 'cfb') return /\.doc$/i.test(fileName) ? 'doc' : null
  const kind = SAME[sniffed.ext] ?? sniffed.ext
  return FILE_KINDS.find((known) => known === kind) ?? null
}
