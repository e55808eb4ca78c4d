/** What the buttons of the plan section share. */
export type PlanChange = {
  /**
   * True while a change is being sent, and for a moment after the buttons have changed. Buttons that send a change
   * ignore presses during this time, because a second tap may be meant for the button that was in the same position
   * before.
   */
  isWaiting: boolean
  /** True when the seller has asked for a refund but has not confirmed it yet. */
  isConfirming: boolean
  setIsConfirming: (isConfirming: boolean) => void
  change: (path: string, body: unknown, done: { title: string; description: string }) => Promise<void>
}
