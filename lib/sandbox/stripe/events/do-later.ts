import 'server-only'
import { unixSeconds } from '../ids'
import type { LaterStep } from '../objects'
import type { Tx } from '../store'

/**
 * Records a step of an object that happens later. settleLater() carries it out in its next run or, if `dueAt` is given,
 * in its first run after that time. `dueAt` is in Unix seconds.
 */
export async function doLater(tx: Tx, subjectId: string, step: LaterStep, dueAt?: number): Promise<void> {
  const later = { id: `${subjectId}~${step}`, object: '~later', subjectId, step } as const
  await tx.insert({ ...later, dueAt: dueAt ?? unixSeconds(tx.now()) })
}
