import 'server-only'
import { composeMail, type MailContent, type QueuedMail } from '@/lib/notifications/compose-mail'
import { dropPath } from './rules'
import { imageSrc } from './view'

type DropFacts = { id: number; run: number; title: string; customSlug: string | null; uniqueId: string }

type Recipient = { email: string; firstName: string }

/** The first photo of a drop, as MAILED_PHOTO reads it: its key and the smallest width in which it is stored. */
export type MailedPhoto = { key: string; width: number }

/** The Prisma selection of a drop for toMailedPhoto(). */
export const firstPhoto = {
  images: { select: { key: true, widths: true }, orderBy: { position: 'asc' }, take: 1 },
} as const

/** Returns the first photo of a drop for an email, or null. */
export function toMailedPhoto({
  images: [image],
}: {
  images: { key: string; widths: number[] }[]
}): MailedPhoto | null {
  const width = image?.widths[0]
  return image && width ? { key: image.key, width } : null
}

/** Returns the part of an email with the photo of a drop, or nothing for a drop without photos. */
export function photoOfMail(
  photo: MailedPhoto | null | undefined,
  title: string,
  appUrl: string,
): Pick<MailContent, 'photo'> {
  return photo ? { photo: { url: appUrl + imageSrc(photo.key, photo.width), alt: title } } : {}
}

const STOP_HINT = 'You can turn these emails off in Settings, under Email notifications.'

/** Returns the email to the seller when auto-renew has made a drop live again (docs/product.md#auto-renew). */
export function renewedMail(drop: DropFacts, seller: Recipient, appUrl: string): QueuedMail {
  return composeMail(seller.email, `renewed:${drop.id}:${drop.run}`, {
    subject: `Live again: ${drop.title}`,
    preview: 'Auto-renew started a new run with the same link.',
    heading: 'Your drop is live again',
    paragraphs: [
      `Auto-renew relaunched ${drop.title} with the same link.`,
      'Auto-renew relaunches a drop up to twice in a row, and stops after a run without a sale.',
    ],
    button: { label: 'View your drop', url: appUrl + dropPath(drop) },
    footer: STOP_HINT,
  })
}

/**
 * Notifies the seller that the link which buyers of a digital drop get was replaced, in case someone else did it. One
 * email a day is enough for each drop.
 * @param day the day of the change, such as "2026-11-27"
 */
export function linkChangedMail(
  drop: DropFacts,
  seller: Recipient,
  link: string,
  day: string,
  appUrl: string,
): QueuedMail {
  return composeMail(seller.email, `drop-link:${drop.id}:${day}`, {
    subject: `New link for your buyers: ${drop.title}`,
    preview: 'Everyone who bought this drop gets the new link.',
    heading: 'The link of your drop was changed',
    paragraphs: [
      `Everyone who bought ${drop.title} now gets this link on their order page: ${link}`,
      "Didn't change it? Someone else may be signed in to your account. Change your password now, and enter the right link.",
    ],
    button: { label: 'Open your account', url: `${appUrl}/account` },
  })
}
