import 'server-only'
import { formatDay, formatMoment } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { profilePath } from './rules'

/** @param tokenId part of the email's unique key, so that each requested link is emailed once. */
export function passwordResetMail(to: string, link: string, tokenId: number): QueuedMail {
  return composeMail(to, `password-reset:${tokenId}`, {
    subject: 'Reset your password',
    preview: 'The link works once and expires in an hour.',
    heading: 'Choose a new password',
    paragraphs: ['We got a request to reset your password. The link works once and expires in an hour.'],
    button: { label: 'Choose a new password', url: link },
    footer:
      "Wasn't you? You can ignore this email. Nothing changes unless someone opens the link and chooses a new password.",
  })
}

/**
 * Sends the owner of an address the username of their account. `requestId` keeps a repeated request apart from the
 * first.
 */
export function usernameMail(to: string, username: string, appUrl: string, requestId: string): QueuedMail {
  return composeMail(to, `username:${requestId}`, {
    subject: 'Your username',
    preview: `Your username is @${username}.`,
    heading: `Your username is @${username}`,
    paragraphs: ['We got a request for the username that belongs to this email address.'],
    button: { label: 'Sign in', url: `${appUrl}/login` },
    footer: "Wasn't you? You can ignore this email.",
  })
}

export const notYou = "Wasn't you? Reset your password right away."
/** Returns the button of an email that reports a change its reader may not have made. */
export const resetButton = (appUrl: string) => ({ label: 'Reset my password', url: `${appUrl}/forgot-password` })

/**
 * @param signedOut the devices that were signed out. A device that changes the password in the
 *   settings stays signed in.
 */
export function passwordChangedMail(
  to: string,
  appUrl: string,
  { key, signedOut }: { key: number | string; signedOut: 'every device' | 'all other devices' },
): QueuedMail {
  return composeMail(to, `password-changed:${key}`, {
    subject: 'Your password was changed',
    preview: `We signed you out on ${signedOut}.`,
    heading: 'Your password was changed',
    paragraphs: [`We signed you out on ${signedOut}. ${notYou}`],
    button: resetButton(appUrl),
  })
}

/** Asks the owner to follow a link, which proves that they receive emails at this address. */
export function confirmEmailMail(to: string, secret: string, appUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `confirm-email:${tokenId}`, {
    subject: 'Confirm your email address',
    preview: "We'll use this address to reach you about sales and payouts.",
    heading: 'Confirm your email address',
    paragraphs: [
      'Confirm this address so that we can reach you about sales, payouts and your account. The link expires in a day.',
    ],
    button: { label: 'Confirm my email', url: `${appUrl}/confirm-email?token=${secret}` },
    footer: "Didn't sign up? You can ignore this email.",
  })
}

/** Returns the email to the new address. The account's address changes when the owner follows the link in it. */
export function emailChangeMail(to: string, secret: string, appUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `email-change:${tokenId}`, {
    subject: 'Confirm your new email address',
    preview: 'The link works once and expires in an hour.',
    heading: 'Confirm your new email address',
    paragraphs: ['Confirm this address to use it for your account. The link works once and expires in an hour.'],
    button: { label: 'Confirm my email', url: `${appUrl}/confirm-email?token=${secret}` },
    footer: "Didn't ask for this? You can ignore this email. The account keeps its current address.",
  })
}

/** Returns the link that gives the account back to its old address. */
export function undoLink(appUrl: string, secret: string): string {
  return `${appUrl}/confirm-email?token=${secret}&for=undo`
}

const UNDO =
  "Wasn't you? Take your account back with the button below. We'll sign out every device and keep this address, and you'll choose a new password. The link works for three days."

/** Returns the email to the old address, which is sent as soon as a change is requested. */
export function emailChangeNoticeMail(to: string, newEmail: string, undoUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `email-change-notice:${tokenId}`, {
    subject: 'Request to change your email address',
    preview: 'Nothing has changed yet.',
    heading: 'Request to change your email address',
    paragraphs: [
      `We got a request to use ${newEmail} for your account. Nothing changes until the new address is confirmed.`,
      UNDO,
    ],
    button: { label: "It wasn't me", url: undoUrl },
  })
}

/**
 * Reports to the old address that the account uses a new one. `undoUrl` is the link of undoLink(), which works for
 * three days.
 */
export function emailChangedMail(to: string, newEmail: string, undoUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `email-changed:${tokenId}`, {
    subject: 'Your email address was changed',
    preview: `Your account now uses ${newEmail}.`,
    heading: 'Your email address was changed',
    paragraphs: [
      `Your account now uses ${newEmail}. Unless you undo the change, we won't send anything else to this address.`,
      UNDO,
    ],
    button: { label: "It wasn't me", url: undoUrl },
  })
}

/**
 * Confirms a changed username, and says how long the old one still leads to the profile and when the next change is
 * possible.
 */
export function usernameChangedMail(to: string, username: string, appUrl: string, requestId: string): QueuedMail {
  return composeMail(to, `username-changed:${requestId}:${username}`, {
    subject: `Your username is now @${username}`,
    preview: 'Links with your old username keep working for 30 days.',
    heading: `Your username is now @${username}`,
    paragraphs: [
      'Links with your old username keep working for 30 days. You can change your username again after that.',
    ],
    button: { label: 'See your profile', url: appUrl + profilePath(username) },
    footer: notYou,
  })
}

/** Reports a login from a browser that is not known to have logged in to this account with its present password. */
export function newLoginMail(
  to: string,
  login: { device: string; at: Date; timezone: string },
  appUrl: string,
  key: string,
): QueuedMail {
  return composeMail(to, `new-login:${key}`, {
    subject: 'New sign-in to your account',
    preview: login.device,
    heading: 'New sign-in to your account',
    paragraphs: [
      'Someone signed in to your account from a new browser, or for the first time since your password changed.',
    ],
    facts: [
      ['Device', login.device],
      ['Time', formatMoment(login.at, login.timezone)],
    ],
    button: { label: 'Review your devices', url: `${appUrl}/account` },
    footer: `If this was you, there's nothing to do. ${notYou}`,
  })
}

/**
 * The second factor after a change of the authenticator app. With `passkeys`, the app was removed and passkeys remain.
 */
export type TwoFactorState = 'on' | 'off' | 'passkeys'

/** What an email about the second factor reports: its new state, or new recovery codes (`codes`). */
type TwoFactorNews = TwoFactorState | 'codes'

const twoFactorTexts: Record<TwoFactorNews, { heading: string; preview: string; paragraph: string }> = {
  on: {
    heading: 'Two-factor authentication is on',
    preview: "You'll need a code to sign in.",
    paragraph:
      "From now on you'll need a code from your authenticator app to sign in. Keep your recovery codes somewhere safe, away from your phone.",
  },
  off: {
    heading: 'Two-factor authentication is off',
    preview: 'You can sign in with just your password.',
    paragraph: 'You can now sign in with just your password.',
  },
  passkeys: {
    heading: 'Your authenticator app was removed',
    preview: 'You can sign in with a passkey.',
    paragraph: "From now on you'll need a passkey or a recovery code to sign in.",
  },
  codes: {
    heading: 'You have new recovery codes',
    preview: "Your old recovery codes don't work anymore.",
    paragraph: "Someone who is signed in to your account made ten new recovery codes. The old ones don't work anymore.",
  },
}

/** Reports a change of the second factor, with a link that gives the account back for three days. */
export function twoFactorMail(to: string, news: TwoFactorNews, undoUrl: string, tokenId: number): QueuedMail {
  const { heading, preview, paragraph } = twoFactorTexts[news]
  const undo =
    news === 'on'
      ? "Wasn't you? Take your account back with the button below. We'll remove the authenticator app and sign out every device, and you'll choose a new password. The link works for three days."
      : UNDO
  return composeMail(to, `two-factor:${tokenId}`, {
    subject: heading,
    preview,
    heading,
    paragraphs: [paragraph, undo],
    button: { label: "It wasn't me", url: undoUrl },
  })
}

type Suspended = { email: string; timezone: string; suspendedUntil: Date | null; suspensionReason: string | null }

/** Reports a suspension with its end and its reason. `key` keeps the emails of two suspensions of one account apart. */
export function suspendedMail(user: Suspended, appUrl: string, key: string): QueuedMail {
  const until = user.suspendedUntil && formatDay(user.suspendedUntil, user.timezone)
  return composeMail(user.email, `suspended:${key}`, {
    subject: 'Your account is suspended',
    preview: `Your drops are paused until ${until ?? 'further notice'}.`,
    heading: 'Your account is suspended',
    paragraphs: [
      'Your drops are paused. You can still sign in, ship orders, send refunds, and see your payouts.',
      `Reason: ${user.suspensionReason ?? ''}`,
    ],
    facts: [['Until', until ?? 'further notice']],
    button: { label: 'Appeal', url: `${appUrl}/appeal` },
    footer: 'Think this is a mistake? Send an appeal. A person reads every one.',
  })
}

/** Reports that a suspension was lifted, by an appeal or otherwise. */
export function suspensionLiftedMail(user: { email: string }, appUrl: string, key: string): QueuedMail {
  return composeMail(user.email, `suspension-lifted:${key}`, {
    subject: 'Your account is active again',
    preview: 'Your drops are back.',
    heading: 'Your account is active again',
    paragraphs: ['We lifted your suspension. Drops that still have time left are live again.'],
    button: { label: 'Go to your drops', url: appUrl },
  })
}

/** Reports that an appeal was read and did not change the suspension. */
export function suspensionKeptMail(user: { email: string }, appUrl: string, key: string): QueuedMail {
  return composeMail(user.email, `suspension-kept:${key}`, {
    subject: 'We reviewed your appeal',
    preview: 'Your account stays suspended.',
    heading: 'Your account stays suspended',
    paragraphs: [
      'A person read your appeal and reviewed the decision. The suspension stays in place.',
      'You can still ship orders, send refunds and see your payouts.',
    ],
    button: { label: 'Go to your account', url: appUrl },
  })
}
