import 'server-only'
import type { Includable } from './call'
import { invalidRequest } from './stripe-fault'
import type { Tx } from './store'

type Json = Record<string, unknown>
type Includables = Record<string, Record<string, Includable>>

const MAX_DEPTH = 4

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Replaces ids with the objects that they name, at paths as Stripe writes them, such as `payment_intent.latest_charge`,
 * or `data.customer` in lists. Changes `body`.
 * @throws StripeFault for a path that cannot be expanded.
 */
export async function expandPaths(
  tx: Tx,
  body: object,
  paths: readonly string[],
  includables: Includables,
): Promise<void> {
  for (const path of paths) {
    const steps = path.split('.')
    if (steps.filter((step) => step !== 'data').length > MAX_DEPTH) {
      throw invalidRequest('You cannot expand more than 4 levels of a property.', { param: 'expand' })
    }
    await expandSteps(tx, body, steps, path, includables)
  }
}

async function expandSteps(
  tx: Tx,
  target: unknown,
  steps: readonly string[],
  path: string,
  includables: Includables,
): Promise<void> {
  if (Array.isArray(target)) {
    for (const member of target) await expandSteps(tx, member, steps, path, includables)
    return
  }
  const [step, ...rest] = steps
  if (step === undefined || target === null) return
  if (!isObject(target)) throw notExpandable(path)
  await expandStep(tx, target, step, path, includables)
  await expandSteps(tx, target[step], rest, path, includables)
}

async function expandStep(tx: Tx, target: Json, step: string, path: string, includables: Includables): Promise<void> {
  const include = typeof target.object === 'string' ? includables[target.object]?.[step] : undefined
  if (include && typeof target.id === 'string' && !isObject(target[step])) {
    target[step] = await include(tx, target.id)
    return
  }
  if (!Object.hasOwn(target, step)) throw notExpandable(path)
  const value = target[step]
  if (typeof value !== 'string') return
  const found = value.includes('_') ? await tx.findAny(value) : null
  if (!found) throw notExpandable(path)
  target[step] = found
}

function notExpandable(path: string) {
  return invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' })
}
