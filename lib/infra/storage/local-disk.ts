import 'server-only'
import { createReadStream } from 'node:fs'
import { copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { contentTypeOf } from '@/lib/kernel/file-kind'
import { newId } from '@/lib/kernel/id'
import { isStorageKey, type Storage } from './driver'

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
      await writeFile(partial, bytes, { mode: 0o600 })
      await rename(partial, file)
    },

    async adopt(key, source) {
      const file = fileOf(key)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      // The caller then stores a database row for the file, so the file must survive a power cut, as the row does.
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
    },

    async open(key, range) {
      if (!isStorageKey(key)) return null
      const file = fileOf(key)
      const info = await stat(file).catch(() => null)
      if (!info?.isFile()) return null
      const start = range?.start ?? 0
      const end = Math.min(range?.end ?? info.size - 1, info.size - 1)
      const bytes = Math.max(0, end - start + 1)
      const body = bytes > 0 ? createReadStream(file, { start, end }) : Readable.from([])
      return {
        body: Readable.toWeb(body) as ReadableStream<Uint8Array>,
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

async function flushToDisk(file: string): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
