import 'server-only'
import { ensureAdmin } from './ensure-admin'
import { seedDemo } from './seed-demo'
import { env } from '@/lib/infra/env'

/** Once per process, before the first request: the administrator from the environment, and the demo. */
export async function prepareApplication(): Promise<void> {
  await ensureAdmin()
  if (env().seedDemo) await seedDemo()
}
