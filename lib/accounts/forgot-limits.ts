import 'server-only'
import { consume, type RateLimit } from '@/lib/infra/rate-limit'

/** Askers: three an hour from one network address. */
export const forgotPasswordLimit: RateLimit = { name: 'forgot-password', points: 3, windowSeconds: 3600 }
export const forgotUsernameLimit: RateLimit = { name: 'forgot-username', points: 3, windowSeconds: 3600 }

/** A mailbox is not filled by strangers who ask from many addresses: what came before still works. The asker is told nothing. */
const perMailbox: RateLimit = { name: 'forgot-mailbox', points: 3, windowSeconds: 3600 }

/** Counts one more mail about what was forgotten; true when the mailbox has had enough of them for this hour. */
export async function isMailboxFull(email: string, forgotten: 'password' | 'username'): Promise<boolean> {
  return (await consume(perMailbox, `${forgotten}:${email}`)) !== null
}
