import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'

export const trustTexts = {
  reportTitle: 'Report this drop',
  reportText: 'Tell us what is wrong with it. Somebody reads every report; the seller does not learn who wrote it.',
  reportSent: 'Thank you. Somebody will look at this drop.',
  reportLimit: 'You have reported a lot in a short time. Please try again later.',
  categoryMissing: 'Please say what is wrong with this drop.',
  tellMore: 'Tell us more',
  detailsTooLong: 'Please keep it under 1,000 characters.',
  appealTitle: 'Appeal your suspension',
  appealSent: 'Your appeal is with us. You get a mail when it is decided.',
  appealMissing: 'Please write why this is a mistake.',
  appealTooLong: 'Please keep it under 2,000 characters.',
} as const

const trustErrors = {
  NOT_SUSPENDED: { status: 409, text: 'Your account is not suspended.' },
  APPEAL_OPEN: { status: 409, text: 'We have an appeal of yours already. You get a mail when it is decided.' },
  APPEAL_NOT_FOUND: { status: 404, text: 'This appeal does not exist.' },
  APPEAL_DECIDED: { status: 409, text: 'Somebody has decided this already.' },
  REVIEW_NOT_FOUND: { status: 404, text: 'This review does not exist.' },
  CATEGORY_MISSING: { status: 400, text: 'Please say which part of the policy it breaks.', field: 'category' },
  REVIEW_DECIDED: { status: 409, text: 'Somebody has decided this already.' },
} as const satisfies ErrorTable

export const trustError = /* @__PURE__ */ errorsFrom(trustErrors)
