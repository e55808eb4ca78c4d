import 'server-only'
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { contentTypeOf } from '@/lib/kernel/file-kind'
import { newId } from '@/lib/kernel/id'
import { isStorageKey, type Storage } from './driver'

/** How much of a file is read at a time. */
const CHUNK_BYTES = 64 * 1024

/** Stores objects as files below a folder. */
export function localDisk(folder: string): Storage {
  // Objects are written in this folder and then renamed, so that readers never see an incomplete object. The folder is
  // next to the objects, because a rename works only within one disk.
  const unfinished = path.join(folder, '.unfinished')
  const fileOf = (key: string): string => {
    if (!isStorageKey(key)) throw new Error('not a storage key')
    return path.join(folder, key)
  }
  const newPartial = async (): Promise<string> => {
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    return path.join(unfinished, newId('part'))
  }

  return {
    async put(key, bytes) {
      const file = fileOf(key)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      const partial = await newPartial()
      // The caller then stores a database row for the object, so the object must survive a power cut, as the row does.
      await writeFile(partial, bytes, { mode: 0o600, flush: true })
      await rename(partial, file)
      await flushToDisk(path.dirname(file))
    },

    async adopt(key, source) {
      const file = fileOf(key)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      await flushToDisk(source)
      await rename(source, file).catch(async (error: NodeJS.ErrnoException) => {
        // EXDEV: the file is on another disk, so it has to be copied.
        if (error.code !== 'EXDEV') throw error
        const partial = await newPartial()
        await copyFile(source, partial)
        await flushToDisk(partial)
        await rename(partial, file)
        await rm(source, { force: true })
      })
      await flushToDisk(path.dirname(file))
    },

    async open(key, range) {
      if (!isStorageKey(key)) return null
      const file = fileOf(key)
      const info = await stat(file).catch(() => null)
      if (!info?.isFile()) return null
      const start = range?.start ?? 0
      const end = Math.min(range?.end ?? info.size - 1, info.size - 1)
      const bytes = Math.max(0, end - start + 1)
      return {
        body: readWhenAsked(file, start, bytes),
        bytes,
        size: info.size,
        contentType: contentTypeOf(key),
      }
    },

    async remove(key) {
      await rm(fileOf(key), { force: true })
    },

    async removeUnfinished(before) {
      const names = await readdir(unfinished).catch(() => [])
      for (const name of names) {
        const info = await stat(path.join(unfinished, name)).catch(() => null)
        if (info && info.mtimeMs < before.getTime()) await rm(path.join(unfinished, name), { force: true })
      }
    },

    temporaryAddress: async () => null,
    direct: null,
  }
}

/**
 * Returns a stream that opens the file with the first read. A stream that nobody reads, such as the body of a response
 * to HEAD, would otherwise keep its file open, and after some thousands of them the process could open no file and no
 * connection any more.
 */
function readWhenAsked(file: string, start: number, bytes: number): ReadableStream<Uint8Array> {
  let handle: FileHandle | null = null
  let [position, left] = [start, bytes]
  const close = async () => {
    const opened = handle
    handle = null
    await opened?.close()
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          handle ??= left > 0 ? await open(file, 'r') : null
          const chunk = new Uint8Array(Math.min(CHUNK_BYTES, left))
          const bytesRead = handle ? (await handle.read(chunk, 0, chunk.length, position)).bytesRead : 0
          if (bytesRead === 0 && left > 0) throw new Error('the file became shorter while it was read')
          if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead))
          position += bytesRead
          left -= bytesRead
          if (left > 0) return
          await close()
          controller.close()
        } catch (error) {
          await close()
          throw error
        }
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  )
}

/** Waits until the content of a file is on the disk, or the names of the files in a folder. */
async function flushToDisk(place: string): Promise<void> {
  const handle = await open(place, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
