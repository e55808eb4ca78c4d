import 'server-only'
import type { Passkey, User } from '@prisma/client'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { CHALLENGE_MS, checkPasskey, type PasskeyAnswer, type PasskeySite } from '@/lib/infra/webauthn'
import { accountError } from '../messages'

/**
 * A challenge that a browser has to answer with a passkey. It is kept in an encrypted cookie, so only the browser that
 * requested it can answer it. `userId` and `sessionId` say whose passkey may answer, and in which session.
 */
export type PasskeyChallenge = {
  challenge: string
  purpose: 'login' | 'secondStep' | 'stepUp' | 'add'
  userId: number | null
  sessionId: string | null
}

/**
 * What a request has besides its body: the challenge in the browser's cookie, and the site that the page belongs to.
 */
export type PasskeyRound = { waiting: PasskeyChallenge | null; site: PasskeySite }

type Wanted = Pick<PasskeyChallenge, 'purpose' | 'userId' | 'sessionId'>

/**
 * Returns the challenge that the browser was given for this purpose, account and session.
 * @throws PASSKEY_EXPIRED when the browser has a different challenge or none
 */
export function challengeFor(waiting: PasskeyChallenge | null, wanted: Wanted): string {
  const isWanted =
    waiting?.purpose === wanted.purpose && waiting.userId === wanted.userId && waiting.sessionId === wanted.sessionId
  if (!isWanted) throw accountError('PASSKEY_EXPIRED')
  return waiting.challenge
}

/**
 * Marks a challenge as answered. The primary key lets only one of several requests with the same answer succeed.
 * @throws PASSKEY_EXPIRED when it was answered before
 */
export async function spendChallenge(tx: Context, challenge: string): Promise<void> {
  const now = tx.clock.now()
  await tx.db.spentChallenge.deleteMany({ where: { expiresAt: { lt: now } } })
  // The cookie with the challenge expires earlier than this row, so an expired row is no longer needed.
  const row = { hash: sha256(challenge), expiresAt: new Date(now.getTime() + 2 * CHALLENGE_MS) }
  const { count } = await tx.db.spentChallenge.createMany({ data: [row], skipDuplicates: true })
  if (count === 0) throw accountError('PASSKEY_EXPIRED')
}

type Spent = Wanted & PasskeyRound & { credential: PasskeyAnswer }

/**
 * Checks the answer of a passkey and uses up its challenge. For a login without a password, any account's passkey may
 * answer, and the authenticator must have verified its user. A counter that is not higher than the stored one belongs
 * to a copy of the passkey, except that passkeys without a counter always send 0. An unknown passkey and one that fails
 * the check are refused with the same error, so that it does not reveal which passkeys exist.
 * @throws PASSKEY_EXPIRED, PASSKEY_REFUSED
 */
export async function spendPasskey(ctx: Context, spent: Spent): Promise<Passkey & { user: User }> {
  const challenge = challengeFor(spent.waiting, spent)
  const owner = { deletedAt: null, ...(spent.userId === null ? {} : { id: spent.userId }) }
  const where = { credentialId: spent.credential.id, user: owner }
  const passkey = await ctx.db.passkey.findFirst({ where, include: { user: true } })
  if (!passkey) throw accountError('PASSKEY_REFUSED')
  const check = { challenge, site: spent.site, passkey, isAlone: spent.purpose === 'login' }
  const counter = await checkPasskey(spent.credential, check).catch((cause: unknown) => {
    ctx.log.warn({ passkeyId: passkey.id, cause: String(cause) }, 'passkey refused')
    throw accountError('PASSKEY_REFUSED', { cause })
  })
  await transaction(ctx, async (tx) => {
    await spendChallenge(tx, challenge)
    // Two answers with the same counter, one of them from a copy, may have been checked at the same moment. Only one
    // may succeed.
    const isUnused = counter === 0 ? { counter: 0 } : { counter: { lt: counter } }
    const data = { counter, lastUsedAt: tx.clock.now() }
    const { count } = await tx.db.passkey.updateMany({ where: { id: passkey.id, ...isUnused }, data })
    if (count === 0) throw accountError('PASSKEY_REFUSED')
  })
  return passkey
}
