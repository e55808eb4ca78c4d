import type { Plan } from './plan'

/** A signed-in user as the database knows them at this request; never taken from a token. */
export type UserActor = {
  kind: 'user'
  userId: number
  sessionId: string
  username: string | null
  plan: Plan
  isAdmin: boolean
  isSuspended: boolean
  hasTwoFactor: boolean
  /** When this session last proved who the user is: by signing in, or by a second factor. */
  steppedUpAt: Date | null
}

type VisitorActor = { kind: 'visitor' }

/** The product acting by itself: scheduled work or received webhooks. */
type SystemActor = { kind: 'system'; name: string }

export type Actor = UserActor | VisitorActor | SystemActor
