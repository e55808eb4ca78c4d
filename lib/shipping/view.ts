/** What one line of a tracking file would change or has changed. */
export type TrackingRowView = {
  line: number
  reference: string
  title: string
  carrier: string
  trackingNumber: string
  effect: 'ship' | 'correct' | 'same' | 'error'
  problem: string | null
}

export type TrackingImportView = {
  /** Whether this is a preview and nothing was changed. */
  isDry: boolean
  ship: number
  correct: number
  same: number
  errors: number
  rows: TrackingRowView[]
}
