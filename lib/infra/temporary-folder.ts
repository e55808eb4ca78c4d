import 'server-only'
import path from 'node:path'
import { env } from './env'

/** Where uploads are received; what a crash leaves there is swept. */
export function temporaryFolder(): string {
  return path.join(env().dataDir, 'tmp')
}
