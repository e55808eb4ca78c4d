import { setTimeout as sleep } from 'node:timers/promises'
import { call, json } from './call'
import type { Step } from './plan-storm'
import { perishable } from './seller-verbs'
import type { World } from './start-world'

const PAUSE_MS = 1_800
const PAUSE_MORE_MS = 1_500
const RESUME_TRIES = 10
const BETWEEN_TRIES_MS = 500

async function callAsAdmin(
  world: World,
  app: 0 | 1,
  verb: string,
  about: Record<string, string | number>,
  path: string,
  init: RequestInit,
) {
  const headers = { ...init.headers, cookie: world.admin.cookie }
  return call(world, {
    actor: 'admin',
    verb,
    app,
    about,
    url: `${world.apps[app].url}/api/admin/${path}`,
    init: { ...init, headers },
  })
}

/**
 * Pauses the platform with the kill switch. Opens it again two or three seconds later, through the other process if
 * that process runs.
 */
export async function pause(world: World, step: Step): Promise<void> {
  await callAsAdmin(world, step.app, 'pause', {}, 'toggle-platform', json({ isActive: false }))
  await sleep(PAUSE_MS + (step.pick % PAUSE_MORE_MS))
  for (let tries = 0; tries < RESUME_TRIES; tries += 1) {
    const app = (step.app + 1 + tries) % 2 === 0 ? 0 : 1
    if (world.apps[app].isUp() && (await resume(world, app))) return
    await sleep(BETWEEN_TRIES_MS)
  }
}

/** Opens the platform again. @returns whether the call succeeded. */
export async function resume(world: World, app: 0 | 1): Promise<boolean> {
  const answer = await callAsAdmin(world, app, 'resume', {}, 'toggle-platform', json({ isActive: true }))
  return answer.status === 200
}

/** Removes one of the drops that may end during a storm. */
export async function remove(world: World, step: Step): Promise<void> {
  const drop = perishable(world, step)
  await callAsAdmin(world, step.app, 'remove', { drop: drop.id }, `drops/${drop.id}`, { method: 'DELETE' })
}

/** Restores one of the drops that may end during a storm, whether or not it is over, so that it ends in 24 hours. */
export async function restore(world: World, step: Step): Promise<void> {
  await change(world, step, 'restore')
}

/** Extends one of the drops that may end during a storm by 24 hours. The call is refused if the drop is over. */
export async function extendDrop(world: World, step: Step): Promise<void> {
  await change(world, step, 'extend')
}

async function change(world: World, step: Step, action: 'restore' | 'extend'): Promise<void> {
  const drop = perishable(world, step)
  await callAsAdmin(
    world,
    step.app,
    action,
    { drop: drop.id },
    `drops/${drop.id}`,
    json({ action, hours: 24 }, {}, 'PATCH'),
  )
}
