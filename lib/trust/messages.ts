import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'

export const trustTexts = {
  reportTitle: 'Report this drop',
  reportText: "Tell us what's wrong. A person reads every report, and we never tell the seller who sent it.",
  reportSent: "Thank you. We'll review this drop.",
  reportLimit: "You've sent several reports. Please try again later.",
  categoryMissing: "Please choose what's wrong with this drop.",
  tellMore: 'Tell us more',
  detailsTooLong: 'Please keep your report to 1,000 characters.',
  reportProfileTitle: 'Report this profile',
  profileReportSent: "Thank you. We'll review this profile.",
  profileCategoryMissing: "Please choose what's wrong with this profile.",
  rejectCategoryMissing: 'Please choose which part of the policy the drop breaks.',
  clearHint: 'The seller reads your reason in our email. The drops and the account stay as they are.',
  clearReasonMissing: 'Please tell the seller why.',
  clearReasonTooLong: 'Please keep the reason to at most 500 characters.',
  appealTitle: 'Appeal your suspension',
  appealQuestion: 'Why is this a mistake?',
  appealHint: 'A person reads your appeal, and we email you the decision.',
  appealButton: 'Send appeal',
  appealSent: "We've received your appeal. We'll email you when it's decided.",
  appealMissing: 'Please tell us why this is a mistake.',
  appealTooLong: 'Please keep your appeal to 2,000 characters.',
} as const

const DECIDED = 'Another administrator already decided this. Please reload the page.'

/** The title of the page that answers the form of an appeal without JavaScript. */
export const plainAppealTexts = { title: "Your appeal isn't sent yet" } as const

const trustErrors = {
  NOT_SUSPENDED: { status: 409, text: "Your account isn't suspended, so there's nothing to appeal." },
  APPEAL_OPEN: { status: 409, text: "You already have an open appeal. We'll email you when it's decided." },
  APPEAL_NOT_FOUND: { status: 404, text: "This appeal doesn't exist." },
  APPEAL_DECIDED: { status: 409, text: DECIDED },
  SELLER_NOT_FOUND: { status: 404, text: "This account doesn't exist anymore." },
  PROFILE_EMPTY: { status: 409, text: "This profile has no text and no links, so there's nothing to remove." },
  REVIEW_NOT_FOUND: { status: 404, text: "This review doesn't exist." },
  CATEGORY_MISSING: { status: 400, text: trustTexts.rejectCategoryMissing, field: 'category' },
  REVIEW_DECIDED: { status: 409, text: DECIDED },
} as const satisfies ErrorTable

export const trustError = /* @__PURE__ */ errorsFrom(trustErrors)
