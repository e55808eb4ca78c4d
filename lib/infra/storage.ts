import 'server-only'
import path from 'node:path'
import { env } from './env'
import type { Storage } from './storage/driver'
import { localDisk } from './storage/local-disk'
import { uploadThing } from './storage/uploadthing'

/** Returns the storage of this installation: UploadThing when its token is set, otherwise the local disk. */
export function storage(): Storage {
  const { uploadThing: account, dataDir } = env()
  return account ? uploadThing(account) : localDisk(path.join(dataDir, 'uploads'))
}
