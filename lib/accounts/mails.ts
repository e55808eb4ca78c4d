import 'server-only'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'

/** @param tokenId part of the dedupe key: one mail per requested link. */
export function passwordResetMail(to: string, link: string, tokenId: number): QueuedMail {
  return composeMail(to, `password-reset:${tokenId}`, {
    subject: 'Reset your password',
    preview: 'The link works once, for an hour.',
    heading: 'Choose a new password',
    paragraphs: [
      'Somebody, hopefully you, asked to reset the password of your account. The link works once, for an hour.',
    ],
    button: { label: 'Choose a new password', url: link },
    footer: 'If it was not you, do nothing: your password stays as it is.',
  })
}

export function usernameMail(to: string, username: string, appUrl: string, requestId: string): QueuedMail {
  return composeMail(to, `username:${requestId}`, {
    subject: 'Your username',
    preview: `You are @${username}.`,
    heading: `You are @${username}`,
    paragraphs: ['Somebody, hopefully you, asked for the username of this address.'],
    button: { label: 'Log in', url: `${appUrl}/login` },
    footer: 'If it was not you, nothing needs doing.',
  })
}

export function passwordChangedMail(to: string, appUrl: string, key: number | string): QueuedMail {
  return composeMail(to, `password-changed:${key}`, {
    subject: 'Your password was changed',
    preview: 'Every device was logged out.',
    heading: 'Your password was changed',
    paragraphs: ['Every device was logged out. If it was not you, reset your password at once.'],
    button: { label: 'Reset my password', url: `${appUrl}/forgot-password` },
  })
}

const notYou = 'If it was not you, reset your password at once.'
const resetButton = (appUrl: string) => ({ label: 'Reset my password', url: `${appUrl}/forgot-password` })

/** Asks the owner to prove that they read this address by following a link. */
export function confirmEmailMail(to: string, secret: string, appUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `confirm-email:${tokenId}`, {
    subject: 'Confirm your e-mail address',
    preview: 'One tap, so that receipts and sales find you.',
    heading: 'Is this your address?',
    paragraphs: ['Confirm it, so that sales, payouts and forgotten passwords find you. The link is good for a day.'],
    button: { label: 'Confirm this address', url: `${appUrl}/confirm-email?token=${secret}` },
    footer: 'If you did not sign up, do nothing.',
  })
}

/** Goes to the new address: nothing changes until its link is followed. */
export function emailChangeMail(to: string, secret: string, appUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `email-change:${tokenId}`, {
    subject: 'Confirm your new e-mail address',
    preview: 'The link works once, for an hour.',
    heading: 'Use this address from now on?',
    paragraphs: ['Confirm it and your account uses this address. The link works once, for an hour.'],
    button: { label: 'Confirm this address', url: `${appUrl}/confirm-email?token=${secret}` },
    footer: 'If you did not ask for this, do nothing: the account keeps its address.',
  })
}

/** The page of a link that takes an account back. */
export function undoLink(appUrl: string, secret: string): string {
  return `${appUrl}/confirm-email?token=${secret}`
}

const UNDO =
  'If it was not you, take the account back: every device is signed out, the address stays this one, and you choose a new password. The link works for three days.'

/** Goes to the old address as soon as a change is requested. */
export function emailChangeNoticeMail(to: string, newEmail: string, undoUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `email-change-notice:${tokenId}`, {
    subject: 'A new e-mail address was asked for',
    preview: 'Nothing has changed yet.',
    heading: 'Your address is about to change',
    paragraphs: [
      `Somebody, hopefully you, asked to use ${newEmail} for your account. Nothing changes until it is confirmed.`,
      UNDO,
    ],
    button: { label: 'It was not me', url: undoUrl },
  })
}

export function emailChangedMail(to: string, newEmail: string, undoUrl: string, tokenId: number): QueuedMail {
  return composeMail(to, `email-changed:${tokenId}`, {
    subject: 'Your e-mail address was changed',
    preview: `Your account uses ${newEmail} now.`,
    heading: 'Your e-mail address was changed',
    paragraphs: [`Your account uses ${newEmail} from now on; this address gets nothing more.`, UNDO],
    button: { label: 'It was not me', url: undoUrl },
  })
}

export function usernameChangedMail(to: string, username: string, appUrl: string, requestId: string): QueuedMail {
  return composeMail(to, `username-changed:${requestId}:${username}`, {
    subject: `You are @${username} now`,
    preview: 'Your old name leads to the new one for 30 days.',
    heading: `You are @${username} now`,
    paragraphs: ['Links with your old name lead to the new one for 30 days. The next change is possible in 30 days.'],
    button: { label: 'See your profile', url: `${appUrl}/profile/${username}` },
    footer: notYou,
  })
}

/** Reports a login from a browser that was never used for this account before. */
export function newLoginMail(to: string, login: { device: string; at: Date }, appUrl: string, key: string): QueuedMail {
  return composeMail(to, `new-login:${key}`, {
    subject: 'New login to your account',
    preview: login.device,
    heading: 'Somebody logged in',
    paragraphs: ['Your account was used from a browser we have not seen before.'],
    facts: [
      ['Device', login.device],
      ['Time', `${login.at.toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ],
    button: { label: 'See your devices', url: `${appUrl}/account` },
    footer: `If it was you, nothing needs doing. ${notYou}`,
  })
}

export function twoFactorMail(to: string, state: 'on' | 'off', appUrl: string, requestId: string): QueuedMail {
  return composeMail(to, `two-factor:${requestId}`, {
    subject: `Two-factor authentication is ${state}`,
    preview: state === 'on' ? 'Logging in asks for a code from now on.' : 'Your password alone opens your account now.',
    heading: `Two-factor authentication is ${state}`,
    paragraphs: [
      state === 'on'
        ? 'Logging in asks for a code of your authenticator app from now on. Keep your recovery codes where your phone is not.'
        : 'Your password alone opens your account now.',
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
      'Your drops are paused. You can still log in, send what was bought, refund, and see your payouts.',
      `The reason: ${user.suspensionReason ?? ''}`,
    ],
    facts: [['Until', until ?? 'further notice']],
    button: { label: 'Appeal', url: `${appUrl}/appeal` },
    footer: 'If you think this is a mistake, tell us: somebody reads every appeal.',
  })
}

export function suspensionLiftedMail(user: { email: string }, appUrl: string, key: string): QueuedMail {
  return composeMail(user.email, `suspension-lifted:${key}`, {
    subject: 'Your account is open again',
    preview: 'Your drops are back.',
    heading: 'Your account is open again',
    paragraphs: ['Your suspension was lifted. Drops whose time is not over are live again.'],
    button: { label: 'Go to your drops', url: appUrl },
  })
}

export function suspensionKeptMail(user: { email: string }, appUrl: string, key: string): QueuedMail {
  return composeMail(user.email, `suspension-kept:${key}`, {
    subject: 'Your appeal',
    preview: 'Your account stays suspended.',
    heading: 'Your account stays suspended',
    paragraphs: ['Somebody has read your appeal and looked again. The suspension stays as it is.'],
    button: { label: 'Go to your account', url: appUrl },
  })
}
