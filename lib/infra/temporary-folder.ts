import 'server-only'
import path from 'node:path'
import { env } from './env'

/** The folder in which uploads are received; a sweep removes what a crash leaves there. */
export function temporaryFolder(): string {
  return path.join(env().dataDir, 'tmp')
}
