import 'server-only'
import { formatMoment } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'

/** @param tokenId part of the dedupe key: one mail per requested link. */
export function passwordResetMail(to: string, link: string, tokenId: number): QueuedMail {
  return composeMail(to, `password-reset:${tokenId}`, {
    subject: 'Reset your password',
    preview: 'The link works once and expires in an hour.',
    heading: 'Choose a new password',
    paragraphs: ['We got a request to reset your password. The link works once and expires in an hour.'],
    button: { label: 'Choose a new password', url: link },
    footer: "Wasn't you? You can ignore this email. Your password stays the same.",
  })
}

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

/** @param signedOut which devices were signed out: after a change in the settings, the one that made it stays signed in. */
export function passwordChangedMail(
  to: string,
  appUrl: string,
  { key, signedOut }: { key: number | string; signedOut: 'every device' | 'all other devices' },
): QueuedMail {
  return composeMail(to, `password-changed:${key}`, {
    subject: 'Your password was changed',
    preview: `We signed you out on ${signedOut}.`,
    heading: 'Your password was changed',
    paragraphs: [`We signed you out on ${signedOut}. Wasn't you? Reset your password right away.`],
    button: { label: 'Reset my password', url: `${appUrl}/forgot-password` },
  })
}

const notYou = "Wasn't you? Reset your password right away."
const resetButton = (appUrl: string) => ({ label: 'Reset my password', url: `${appUrl}/forgot-password` })

/** Asks the owner to prove that they read this address by following a link. */
export function confirmEmailMail(to: string, secret: string, appUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `confirm-email:${tokenId}`, {
    subject: 'Confirm your email address',
    preview: 'So that we can reach you about sales and payouts.',
    heading: 'Confirm your email address',
    paragraphs: [
      'Confirm this address so that we can reach you about sales, payouts and your account. The link expires in a day.',
    ],
    button: { label: 'Confirm this address', url: `${appUrl}/confirm-email?token=${secret}` },
    footer: "Didn't sign up? You can ignore this email.",
  })
}

/** Goes to the new address: nothing changes until its link is followed. */
export function emailChangeMail(to: string, secret: string, appUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `email-change:${tokenId}`, {
    subject: 'Confirm your new email address',
    preview: 'The link works once and expires in an hour.',
    heading: 'Confirm your new email address',
    paragraphs: ['Confirm to use this address for your account. The link works once and expires in an hour.'],
    button: { label: 'Confirm this address', url: `${appUrl}/confirm-email?token=${secret}` },
    footer: "Didn't ask for this? You can ignore this email. The account keeps its current address.",
  })
}

/** The link that takes an account back. */
export function undoLink(appUrl: string, secret: string): string {
  return `${appUrl}/confirm-email?token=${secret}`
}

const UNDO =
  "Wasn't you? Take your account back: we sign out every device, keep this address, and you choose a new password. The link works for three days."

/** Goes to the old address as soon as a change is requested. */
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

export function emailChangedMail(to: string, newEmail: string, undoUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `email-changed:${tokenId}`, {
    subject: 'Your email address was changed',
    preview: `Your account now uses ${newEmail}.`,
    heading: 'Your email address was changed',
    paragraphs: [`Your account now uses ${newEmail}. We won't send anything else to this address.`, UNDO],
    button: { label: "It wasn't me", url: undoUrl },
  })
}

export function usernameChangedMail(to: string, username: string, appUrl: string, requestId: string): QueuedMail {
  return composeMail(to, `username-changed:${requestId}:${username}`, {
    subject: `Your username is now @${username}`,
    preview: 'Links with your old username keep working for 30 days.',
    heading: `Your username is now @${username}`,
    paragraphs: ['Links with your old username keep working for 30 days. You can change it again after that.'],
    button: { label: 'See your profile', url: `${appUrl}/profile/${username}` },
    footer: notYou,
  })
}

/** Reports a login from a browser that was never used for this account before. */
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
    paragraphs: ["Someone signed in to your account from a browser we haven't seen before."],
    facts: [
      ['Device', login.device],
      ['Time', formatMoment(login.at, login.timezone)],
    ],
    button: { label: 'Review your devices', url: `${appUrl}/account` },
    footer: `If this was you, there's nothing to do. ${notYou}`,
  })
}

export function twoFactorMail(to: string, state: 'on' | 'off', appUrl: string, requestId: string): QueuedMail {
  return composeMail(to, `two-factor:${requestId}`, {
    subject: `Two-factor authentication is ${state}`,
    preview: state === 'on' ? "You'll need a code to sign in." : 'You can sign in with just your password.',
    heading: `Two-factor authentication is ${state}`,
    paragraphs: [
      state === 'on'
        ? "From now on you'll need a code from your authenticator app to sign in. Keep your recovery codes somewhere safe, away from your phone."
        : 'You can now sign in with just your password.',
    ],
    button: resetButton(appUrl),
    footer: notYou,
  })
}

type Suspended = { email: string; suspendedUntil: Date | null; suspensionReason: string | null }

export function suspendedMail(user: Suspended, appUrl: string, key: string): QueuedMail {
  const until = user.suspendedUntil?.toISOString().slice(0, 10)
  return composeMail(user.email, `suspended:${key}`, {
    subject: 'Your account is suspended',
    preview: until ? `Until ${until}.` : 'Until further notice.',
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

export function suspensionLiftedMail(user: { email: string }, appUrl: string, key: string): QueuedMail {
  return composeMail(user.email, `suspension-lifted:${key}`, {
    subject: 'Your account is active again',
    preview: 'Your drops are back.',
    heading: 'Your account is active again',
    paragraphs: ['We lifted your suspension. Drops that still have time left are live again.'],
    button: { label: 'Go to your drops', url: appUrl },
  })
}

export function suspensionKeptMail(user: { email: string }, appUrl: string, key: string): QueuedMail {
  return composeMail(user.email, `suspension-kept:${key}`, {
    subject: 'We reviewed your appeal',
    preview: 'Your account stays suspended.',
    heading: 'Your account stays suspended',
    paragraphs: ['A person read your appeal and reviewed the decision. The suspension stays in place.'],
    button: { label: 'Go to your account', url: appUrl },
  })
}
