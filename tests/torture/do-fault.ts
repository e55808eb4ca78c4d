import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultSettings } from '@/lib/sandbox/stripe/create-fault-box'
import type { FaultName, PlannedFault } from './plan-storm'
import type { World } from './start-world'

type StripeFault = NonNullable<FaultSettings['api']>['kind']

/** Makes the stand-in for Stripe fail for `forMs` milliseconds. */
async function stripeFails({ stripe }: World, kind: StripeFault, forMs: number): Promise<void> {
  const api = { kind, path: '/v1/', remaining: null, delayMs: kind === 'slow' ? 9_000 : 0 }
  await stripe.order({ faults: { api, deliveries: null } })
  await sleep(forMs)
  await stripe.order({ faults: { api: null, deliveries: null } })
}

async function eventsGoWrong(
  { courier }: World,
  weather: { delayMs: number; isLosing: boolean },
  forMs: number,
): Promise<void> {
  courier.setWeather(weather)
  await sleep(forMs)
  courier.setWeather({ delayMs: 0, isLosing: false })
}

const LATE_MS = 4_000

const FAULTS: Record<FaultName, (world: World, planned: PlannedFault) => Promise<unknown>> = {
  'kill-app': ({ apps }, { app, lastsMs }) => apps[app].kill(lastsMs / 2),
  'kill-both': ({ apps }, { lastsMs }) => Promise.all(apps.map((one) => one.kill(lastsMs / 4))),
  'restart-app': ({ apps }, { app }) => apps[app].restart(),
  'freeze-app': ({ apps }, { app, lastsMs }) => apps[app].freeze(lastsMs),
  'crash-postgres': ({ postgres }) => postgres.crash(),
  'restart-postgres': ({ postgres }) => postgres.restart(),
  'freeze-postgres': ({ postgres }, { lastsMs }) => postgres.freeze(lastsMs),
  'cut-database': async ({ proxies }, { app, lastsMs }) => {
    proxies[app]?.cut()
    await sleep(lastsMs)
    proxies[app]?.mend()
  },
  'stripe-slow': (world, { lastsMs }) => stripeFails(world, 'slow', lastsMs),
  'stripe-resets': (world, { lastsMs }) => stripeFails(world, 'reset-after-commit', lastsMs),
  'stripe-limits': (world, { lastsMs }) => stripeFails(world, 'rate-limit', lastsMs),
  'stripe-errors': (world, { lastsMs }) => stripeFails(world, 'error', lastsMs),
  'events-late': (world, { lastsMs }) => eventsGoWrong(world, { delayMs: LATE_MS, isLosing: false }, lastsMs),
  'events-lost': (world, { lastsMs }) => eventsGoWrong(world, { delayMs: 0, isLosing: true }, lastsMs),
  'mail-down': async ({ mail }, { lastsMs }) => {
    mail.setDown(true)
    await sleep(lastsMs)
    mail.setDown(false)
  },
}

/**
 * Causes a planned fault, and records it when it has ended. A crash of Postgres is recorded before Postgres has
 * recovered.
 */
export async function doFault(world: World, planned: PlannedFault): Promise<void> {
  const at = Date.now()
  await FAULTS[planned.fault](world, planned)
  world.recorder.add({ kind: 'fault', fault: planned.fault, app: planned.app, at, until: Date.now() })
}
