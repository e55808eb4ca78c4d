import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'

export const uploadTexts = {
  imageTooLarge: 'is larger than 25MB.',
  fileTooLarge: 'This file is larger than 500MB.',
  badKind: "This file isn't a PDF, ZIP, DOC, DOCX, JPG, PNG, MP4 or MP3. Choose another one.",
  planRequired: 'Digital requires Pro plan. Upgrade to unlock this feature.',
} as const

const uploadErrors = {
  NOT_DIRECT: { status: 404, text: 'Please upload files with the form.' },
  IMAGE_TOO_LARGE: { status: 413, text: `This photo ${uploadTexts.imageTooLarge}` },
  FILE_TOO_LARGE: { status: 413, text: uploadTexts.fileTooLarge },
  BAD_KIND: { status: 415, text: uploadTexts.badKind },
  PLAN_REQUIRED: { status: 403, text: uploadTexts.planRequired },
  STORAGE_FULL: {
    status: 409,
    text: `Your files take up 50GB, which is the most for one account. Delete drops you no longer need, or write to ${brand.contact.support}.`,
  },
  UPLOAD_GONE: { status: 400, text: "We can't find this upload. Please send the file again." },
} as const satisfies ErrorTable

export const uploadError = /* @__PURE__ */ errorsFrom(uploadErrors)
