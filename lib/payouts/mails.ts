import 'server-only'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { payoutStateTexts } from './messages'

/** @param key prevents a second email about the same pause */
export function payoutsPausedMail(seller: { email: string }, key: string, appUrl: string): QueuedMail {
  return composeMail(seller.email, `payouts-paused:${key}`, {
    subject: 'Your payouts are paused',
    preview: 'Stripe needs more information from you.',
    heading: 'Your payouts are paused',
    paragraphs: [payoutStateTexts.paused.text],
    button: { label: 'See what is needed', url: `${appUrl}/payouts` },
    footer: 'We keep your payouts for you and send them as soon as Stripe has what it needs.',
  })
}

/** @param key prevents a second email about the same account */
export function payoutsDisconnectedMail(seller: { email: string }, key: string, appUrl: string): QueuedMail {
  return composeMail(seller.email, `payouts-disconnected:${key}`, {
    subject: 'Please connect your payouts again',
    preview: 'Your Stripe account is no longer connected.',
    heading: 'Your payouts are paused',
    paragraphs: [payoutStateTexts.disconnected.text],
    button: { label: 'Connect again', url: `${appUrl}/payouts` },
    footer: 'We keep your payouts for you and send them as soon as you connect again.',
  })
}
