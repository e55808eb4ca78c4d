export type SuspensionView = { reason: string | null; until: string | null; hasOpenAppeal: boolean }

/** An appeal with what it is about, as the queue shows it. */
export type AppealView = {
  id: number
  text: string
  createdAt: string
  userId: number
  username: string | null
  email: string
  reason: string | null
  until: string | null
  strikes: number
}
