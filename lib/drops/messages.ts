import { cutText, endSentence } from '@/lib/kernel/text'
import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { formatCount } from '@/lib/kernel/format-count'
import { uploadTexts } from '@/lib/uploads/messages'
import { codeTexts } from './codes/code-messages'
import { editionTexts } from './editions/edition-messages'
import { keyTexts } from './keys/key-messages'
import { openTexts } from './editions/open-messages'
import type { Celebration, VisitSource } from './rules'
import { earlyTexts } from './start/early-messages'
import { startTexts } from './start/start-messages'
import { zoneTexts } from './delivery/zone-messages'

/** The names of the sources of visits. */
export const sourceLabels: Record<VisitSource, string> = {
  instagram: 'Instagram',
  tiktok: 'TikTok',
  x: 'X',
  whatsapp: 'WhatsApp',
  facebook: 'Facebook',
  youtube: 'YouTube',
  telegram: 'Telegram',
  direct: 'Direct',
  other: 'Elsewhere',
}

/** The names of the required fields as the list of missing fields spells them (docs/product.md#required-fields). */
export const requiredLabels = {
  title: 'Product Name',
  description: 'Description',
  price: 'Price',
  duration: 'Duration',
  images: 'Product Images',
  digitalFile: 'Digital File',
} as const

/** Lists the missing fields of a form: "Missing: Product Name, Price". */
export function missingText(fields: readonly (keyof typeof requiredLabels)[]): string {
  return `Missing: ${fields.map((field) => requiredLabels[field]).join(', ')}`
}

/** Returns the text that is shown at one missing field: "Price is missing." */
export function missingFieldText(field: keyof typeof requiredLabels): string {
  return `${requiredLabels[field]} ${field === 'images' ? 'are' : 'is'} missing.`
}

/** Returns the text for a seller who has as many active drops as the plan allows. */
export function limitText(activeDrops: number): string {
  const drops = activeDrops === 1 ? '1 active drop' : `${activeDrops} active drops`
  return `Your plan allows ${drops} at a time. Wait until a drop ends, or end one early.`
}

/** Returns the text about a product type that the seller's plan does not include. */
export function planHint(productType: string): string {
  const label = productType.charAt(0).toUpperCase() + productType.slice(1)
  return `${label} requires Pro plan. Upgrade to unlock this feature.`
}

const slugTaken = 'This custom link is already taken.'

export const dropTexts = {
  notFoundTitle: 'Drop Not Found',
  notFoundText: "This drop may have expired or doesn't exist.",
  removedText: 'This drop was removed by its seller or by us. Buyers keep access to their orders.',
  expiredTitle: 'Drop Expired',
  expiredText: 'This drop has ended',
  canceledTitle: 'Start canceled',
  continueToCheckout: 'Continue to checkout',
  canceledText: 'The seller canceled the start of this drop. Nothing was sold.',
  scheduledTitle: 'Not started yet',
  scheduledWithoutScript: "This page can't update itself without JavaScript. Reload the page when the drop starts.",
  clockWithoutScript: 'This clock needs JavaScript to count down. The drop ends',
  missingTitle: 'Please complete required fields',
  invalidPriceTitle: 'Invalid Price',
  invalidPrice: 'Please enter a valid price greater than 0.',
  priceTooLow: 'The lowest price is $0.50. Please enter a higher one.',
  priceTooHigh: 'The highest price is $999,999.99. Please enter a lower one.',
  noImagesTitle: 'No Images Selected',
  noImages: 'Please add at least one product image.',
  maximumReached: 'You can only upload up to 5 images. Remove an image to add a new one.',
  titleTooLong: 'Please keep the product name to at most 120 characters.',
  descriptionTooLong: 'Please keep the description to at most 5,000 characters.',
  shippingNoteTooLong: 'Please keep the shipping note to at most 500 characters.',
  quantityInvalid: 'Quantity must be a whole number from 1 to 1,000,000.',
  maxPerBuyerInvalid: 'Enter a limit per buyer from 1 to 10, or leave the field empty.',
  durationInvalid: 'Duration must be 24, 48 or 72 hours.',
  typeInvalid: 'Product type must be physical, digital or service.',
  conditionInvalid: 'Condition must be new, used or refurbished.',
  slugInvalid:
    "A custom link can have up to 50 letters a-z, digits and hyphens. It can't be digits only, or begin or end with a hyphen.",
  slugReserved: 'This custom link is reserved. Please choose another one.',
  slugTaken,
  slugFree: 'This link is available.',
  slugUnknown: "We couldn't check this link. You can still publish.",
  keyInvalid: "A form's key has 1 to 100 letters, digits or symbols, without spaces.",
  linkInvalid: 'Please enter a link that starts with https://.',
  notAnImage: "isn't a photo we can read. Use JPG, PNG, WebP or GIF.",
  imageTooLarge: uploadTexts.imageTooLarge,
  badFile: uploadTexts.badKind,
  fileEmpty: 'This file is empty.',
  fileTooLarge: uploadTexts.fileTooLarge,
  linkOrFile: 'Add a link or a file, not both.',
  fileNotDigital: 'Only digital drops can have a file.',
  soldOutQuantity: 'This drop sold out. Enter how many you have now.',
  quantityLower: 'You can only increase the quantity.',
  endedWhileEdited: 'This drop has ended, so it can no longer be edited.',
  descriptionMissing: "Please describe what you're selling.",
  keptImagesInvalid: 'List the photos to keep by their URLs.',
  imageUnknown: 'A photo you wanted to keep is no longer there. Please reload the page.',
  tooManyPixels: 'has too many pixels. Use a photo of at most 50 megapixels.',
} as const

/** Returns the text about a form that the seller has already published with other content, such as in another tab. */
export function formUsedText(title: string): string {
  return `You already published this form as “${title}”. Tap Create Drop again to publish it as another drop.`
}

const dropErrors = {
  NOT_FOUND: { status: 404, text: dropTexts.notFoundText },
  LIMIT_REACHED: {
    status: 409,
    text: "You've reached your plan's limit of active drops. End a drop or upgrade to Pro, then try again.",
  },
  PLAN_REQUIRED: { status: 403, text: 'This requires the Pro plan. Upgrade to unlock this feature.' },
  FORM_USED: { status: 409, text: formUsedText('another drop') },
  SLUG_TAKEN: { status: 409, text: slugTaken, field: 'customSlug' },
  SLUG_PRO_ONLY: {
    status: 403,
    text: 'Custom links require the Pro plan. Upgrade to unlock this feature.',
    field: 'customSlug',
  },
  MISSING_FIELDS: { status: 400, text: dropTexts.missingTitle },
  NO_IMAGES: { status: 400, text: `${dropTexts.noImagesTitle}. ${dropTexts.noImages}`, field: 'images' },
  TOO_MANY_IMAGES: { status: 400, text: dropTexts.maximumReached, field: 'images' },
  BAD_FILE: { status: 415, text: dropTexts.badFile, field: 'digitalFile' },
  FILE_TOO_LARGE: { status: 413, text: dropTexts.fileTooLarge, field: 'digitalFile' },
  LINK_OR_FILE: { status: 400, text: dropTexts.linkOrFile, field: 'digitalFile' },
  FILE_NOT_DIGITAL: { status: 400, text: dropTexts.fileNotDigital, field: 'digitalFile' },
  STILL_LIVE: { status: 403, text: 'This drop is still live. You can relaunch it 24 hours after it ends.' },
  TOO_EARLY: { status: 403, text: 'You can relaunch a drop 24 hours after it ends.' },
  ENDED: { status: 409, text: 'This drop has ended.' },
  TAKEN_DOWN: {
    status: 403,
    text: "This drop isn't approved, so it can't go live right now. If we're reviewing it, we'll email you when that's done.",
  },
  NOTHING_LEFT: { status: 400, text: dropTexts.soldOutQuantity, field: 'quantity' },
  QUANTITY_TAKEN: {
    status: 409,
    text: 'More units than that are in checkout. Enter a higher quantity, or try again in a few minutes.',
    field: 'quantity',
  },
  QUANTITY_LOWER: { status: 400, text: dropTexts.quantityLower, field: 'quantity' },
  OPTIONS_REFUSED: { status: 400, text: 'Please check the units of each choice.', field: 'options' },
  OPTIONS_FIXED: {
    status: 409,
    text: 'The choices are fixed after the first sale. You can still add units to each.',
    field: 'options',
  },
  OPTION_TAKEN: {
    status: 409,
    text: 'More units than that are sold or in checkout. Please enter a higher number.',
    field: 'options',
  },
  NUMBERED_SERVICE: { status: 400, text: editionTexts.noService, field: 'isNumbered' },
  OPEN_CAP_RAISED: { status: 409, text: openTexts.capRaised, field: 'quantity' },
  OPEN_CAP_TAKEN: { status: 409, text: openTexts.capRaised, field: 'quantity' },
  OPEN_NO_SECOND_RUN: { status: 409, text: openTexts.noSecondRun },
  KEYS_REFUSED: { status: 400, text: keyTexts.unreadable, field: 'keys' },
  KEYS_TOO_FEW: { status: 409, text: keyTexts.quantityOfKeys, field: 'quantity' },
  KEYS_ON_SALE: { status: 409, text: keyTexts.onSale },
  KEYS_STAY_DIGITAL: { status: 400, text: keyTexts.staysDigital, field: 'productType' },
  START_INVALID: { status: 400, text: startTexts.invalid, field: 'startsAt' },
  START_SKIPPED: { status: 400, text: startTexts.skipped, field: 'startsAt' },
  START_PAST: { status: 400, text: startTexts.past, field: 'startsAt' },
  START_TOO_FAR: { status: 400, text: startTexts.tooFar, field: 'startsAt' },
  START_AFTER_PLAN: { status: 409, text: startTexts.afterPlan, field: 'startsAt' },
  SURCHARGE_TOO_HIGH: { status: 400, text: zoneTexts.tooMuch, field: 'shippingZones' },
  STARTED: { status: 400, text: startTexts.started },
  EARLY_NEEDS_START: { status: 400, text: earlyTexts.needsStart, field: 'earlyMinutes' },
  EARLY_OPEN_EDITION: { status: 400, text: earlyTexts.openEdition, field: 'earlyMinutes' },
  EARLY_ONE_UNIT: { status: 400, text: earlyTexts.oneUnit, field: 'earlyMinutes' },
  EARLY_TOO_MANY: { status: 400, text: earlyTexts.tooMany, field: 'earlyUnits' },
  EARLY_PAST: { status: 400, text: earlyTexts.past, field: 'earlyMinutes' },
  EARLY_SENT: { status: 409, text: earlyTexts.sent, field: 'startsAt' },
  IN_CHECKOUT: {
    status: 409,
    text: 'Someone is paying for this drop right now. End the drop first, then delete it once their checkout is over.',
  },
  START_ANNOUNCED: {
    status: 409,
    text: 'We emailed people about this start. Cancel the start first, so that we can let them know. Ten minutes later you can delete the drop.',
  },
  CHANGED_OFTEN: { status: 409, text: "You've changed this drop 200 times. Times and units can't change again." },
  REVIEW_WAITS: {
    status: 409,
    text: "Your last five changes to this drop are still waiting for review. Please try again once we've looked at them.",
  },
  MOVED_OFTEN: {
    status: 409,
    text: "You've moved this start 10 times, so it can't move again. You can cancel the start and plan a new drop.",
    field: 'startsAt',
  },
  IMAGE_UNKNOWN: { status: 409, text: dropTexts.imageUnknown, field: 'keepImages' },
  TOO_MANY_CODES: { status: 409, text: codeTexts.tooManyCodes, field: 'code' },
  CODE_TAKEN: { status: 409, text: codeTexts.taken, field: 'code' },
  CODE_TOO_LARGE: { status: 400, text: codeTexts.tooCheap, field: 'percent' },
  CODE_ENDS_IN_PAST: { status: 400, text: codeTexts.endsInThePast, field: 'endsAt' },
  PRICE_BELOW_CODE: { status: 409, text: codeTexts.priceBelowCode, field: 'price' },
  CODE_ENDS_BEFORE_START: { status: 409, text: codeTexts.deadAtStart, field: 'startsAt' },
  CODE_NOT_FOUND: { status: 404, text: codeTexts.notFound },
  BAD_IMAGE: { status: 415, text: "We can't read this file as a photo. Choose another one.", field: 'images' },
} as const satisfies ErrorTable

/** Creates an error of this domain, for example `dropError('ENDED')`. */
export const dropError = /* @__PURE__ */ errorsFrom(dropErrors)

/** The toasts of the drop screens (docs/product.md#creating-a-drop). */
export const dropToasts = {
  copied: { title: 'Link copied!' },
  captionCopied: { title: 'Caption copied!', description: 'Paste it into your post.' },
  captionCopyFailed: { title: 'Copy failed', description: 'Please select the caption and copy it.' },
  copiedForBrowser: { title: 'Link copied!', description: 'Open your browser and paste the link there.' },
  relaunched: { title: 'Drop Relaunched!' },
  relaunchFailed: { title: 'Relaunch Failed' },
  ended: {
    title: 'Drop ended',
    description: 'Anyone already checking out can finish. You can relaunch the drop in 24 hours.',
  },
  canceled: { title: 'Start canceled', description: 'You can launch the drop in 24 hours.' },
  endFailed: { title: "Couldn't end the drop" },
  deleted: { title: 'Drop deleted' },
  deleteFailed: { title: 'Delete Failed', description: 'Failed to delete the drop. Please try again.' },
  edited: { title: 'Changes saved' },
  editFailed: { title: "Couldn't save your changes" },
  copyFailed: { title: 'Copy failed', description: 'Please copy the link manually' },
  maximumReached: { title: 'Maximum Reached', description: dropTexts.maximumReached },
  invalidPrice: { title: dropTexts.invalidPriceTitle, description: dropTexts.invalidPrice },
  noImages: { title: dropTexts.noImagesTitle, description: dropTexts.noImages },
  tooManyImages: 'Too many images',
  reordered: 'Image Reordered',
  largeFile: {
    title: 'Large File Detected',
    description: 'This upload may take several minutes. Please keep this page open.',
  },
  authenticationRequired: { title: 'Authentication Required', description: 'Please log in to create a drop.' },
  storyFailed: { title: 'Error', description: "We couldn't create the story image. Please try again." },
  cropFailed: { title: 'Error', description: "This browser can't open the photo, so we left it uncropped." },
  createFailed: 'Failed to create drop',
  /** An HTML error page from a proxy must not be shown as a message. */
  httpError: (status: number, text: string) =>
    /^\s*(?:<|$)/.test(text) ? `HTTP ${status}` : `HTTP ${status}: ${cutText(text.trim(), 120)}`,
  invalidResponse: 'Invalid response format',
  networkError: 'Network error occurred',
  uploadTimedOut: 'Upload timed out',
} as const

/** Returns the toast after a picture was moved. `position` counts from 1. */
export function movedText(position: number): string {
  return `Moved to position ${position}`
}

/** Returns the texts of the card that celebrates a drop on its seller's dashboard. */
export function celebratedText(
  kind: Celebration,
  { title, quantity, isOpenEdition }: { title: string; quantity: number; isOpenEdition: boolean },
): { title: string; text: string } {
  if (kind === 'soldOut' && isOpenEdition)
    return { title: 'You reached your cap!', text: `${title}: all ${formatCount(quantity)} ordered.` }
  if (kind === 'soldOut')
    return {
      title: 'Sold out!',
      text: quantity === 1 ? `${title} is sold.` : `${title}: all ${formatCount(quantity)} sold.`,
    }
  return { title: 'First sale!', text: endSentence(`Someone just bought ${title}`) }
}

/**
 * Returns the toast when more pictures were chosen than fit. `remainingSlots` is the number of pictures that can still
 * be added.
 */
export function tooManyImagesText(remainingSlots: number): string {
  const images = remainingSlots === 1 ? 'image' : 'images'
  return `There was space for ${remainingSlots} more ${images}, so we left out the rest.`
}
