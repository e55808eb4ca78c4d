import type { Plan } from './plan'

/** A signed-in user. All fields are read from the database at this request, and never from a token. */
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

/** The application itself, when it runs scheduled work or answers a call of another program, such as a webhook. */
type SystemActor = { kind: 'system'; name: string }

export type Actor = UserActor | VisitorActor | SystemActor
