import { imageSrc } from '@/lib/drops/view'
import { categoryLabel } from '@/lib/moderation/messages'
import { type Penalty, penaltyFor } from './rules'

export type SuspensionView = { reason: string | null; until: string | null; hasOpenAppeal: boolean }

/** An appeal with the account that it is about, as the queue shows it. */
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

/** A profile with open reports, and what its seller has written, as the queue shows it. */
export type ReportedProfileView = {
  userId: number
  username: string | null
  email: string
  about: string
  links: string[]
  reports: { id: number; category: string; categoryLabel: string; details: string; createdAt: string }[]
}

/** An open review with its drop and seller, as the queue shows it. */
export type ReviewRow = {
  id: number
  category: string
  source: string
  details: string
  createdAt: Date
  dropId: number
  identifier: string
  title: string
  description: string
  /** The link that buyers of a digital drop get, or null. */
  digitalFileUrl: string | null
  imageKey: string | null
  imageWidths: number[] | null
  sellerId: number
  sellerUsername: string | null
  sellerEmail: string
  isSellerAdmin: boolean
  strikes: number
}

export type ReviewView = Omit<ReviewRow, 'createdAt' | 'imageKey' | 'imageWidths'> & {
  categoryLabel: string
  createdAt: string
  imageUrl: string | null
  /** The consequence for the seller if the drop is rejected in a category that is not severe. */
  nextPenalty: Penalty
}

/** Makes the view of an open review for administrators.  */
export function toReviewView({ createdAt, imageKey, imageWidths, ...row }: ReviewRow): ReviewView {
  const width = imageWidths?.[0]
  return {
    ...row,
    categoryLabel: categoryLabel(row.category),
    createdAt: createdAt.toISOString(),
    imageUrl: imageKey && width ? imageSrc(imageKey, width) : null,
    nextPenalty: penaltyFor(row.strikes + 1, false),
  }
}
