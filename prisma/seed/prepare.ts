import 'server-only'
import { ensureAdmin } from './ensure-admin'
import { seedDemo } from './seed-demo'
import { env } from '@/lib/infra/env'

/** Runs once per process, before the first request: creates the administrator that the environment names, and the demo. */
export async function prepareApplication(): Promise<void> {
  await ensureAdmin()
  if (env().seedDemo) await seedDemo()
}
