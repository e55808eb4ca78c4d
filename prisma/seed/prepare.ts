import 'server-only'
import { closeDemo } from './close-demo'
import { ensureAdmin } from './ensure-admin'
import { seedDemo } from './seed-demo'
import { env } from '@/lib/infra/env'
import { log } from '@/lib/infra/log'

/**
 * Runs once per process, before the first request. If the installation is exposed (docs/contract.md#environment), it
 * first closes accounts of an earlier demo, as closeDemo() describes. Then it creates the demo, if the demo is switched
 * on and the database has no account, and the administrator that the environment names.
 */
export async function prepareApplication(): Promise<void> {
  if (env().isExposed) {
    const closed = await closeDemo()
    if (closed > 0) log().warn({ closed }, 'accounts of the demo closed, because this installation is exposed')
  }
  // The demo is created before the administrator, because only an empty database gets a demo.
  if (env().seedDemo) await seedDemo()
  await ensureAdmin()
}
