import 'server-only'
import { uniqueViolation } from '@/lib/infra/database-errors'
import type { AppError } from '@/lib/kernel/app-error'
import { dropError } from '../messages'
import { optionTexts } from './option-messages'

/**
 * Returns the error for two choices that Postgres takes for the same, or null for any other error. Postgres and
 * JavaScript lower the case of a few letters differently, such as the Turkish capital I, so the form's own check may
 * let them pass.
 */
export function alikeValues(error: unknown): AppError | null {
  if (!uniqueViolation(error)?.includes('OptionValue_one_per_drop')) return null
  return dropError('OPTIONS_REFUSED', { text: optionTexts.tooAlike, cause: error })
}
