import 'server-only'
import { unixSeconds } from './ids'
import type { LaterStep } from './objects'
import type { Tx } from './store'

/** Writes down what happens to an object later: as soon as settleLater() runs next, or from `dueAt` on, in Unix seconds. */
export async function doLater(tx: Tx, subjectId: string, step: LaterStep, dueAt?: number): Promise<void> {
  const later = { id: `${subjectId}~${step}`, object: '~later', subjectId, step } as const
  await tx.insert({ ...later, dueAt: dueAt ?? unixSeconds(tx.now()) })
}
