import 'server-only'
import path from 'node:path'
import { env } from './env'

/** Returns the folder for incoming uploads. A sweep removes files that a crash leaves in it. */
export function temporaryFolder(): string {
  return path.join(env().dataDir, 'tmp')
}
