import 'server-only'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { notYou, resetButton } from '../mails'

type AddedPasskey = { name: string; turnsOn: boolean; undoUrl: string }

/**
 * Reports a new passkey, with a link that removes it for three days. `turnsOn` is true for the first second factor of
 * the account.
 */
export function passkeyAddedMail(to: string, { name, turnsOn, undoUrl }: AddedPasskey, tokenId: number): QueuedMail {
  return composeMail(to, `passkey-added:${tokenId}`, {
    subject: 'A passkey was added to your account',
    preview: 'Anyone who has it can sign in.',
    heading: 'A passkey was added to your account',
    paragraphs: [
      turnsOn
        ? 'You can now sign in with this passkey alone. Signing in with your password also asks for a passkey or a recovery code. Keep your recovery codes somewhere safe.'
        : 'You can now sign in with this passkey alone.',
      "Wasn't you? Take your account back with the button below. We'll remove the passkey and sign out every device, and you'll choose a new password. The link works for three days.",
    ],
    facts: [['Passkey', name]],
    button: { label: "It wasn't me", url: undoUrl },
  })
}

/** `undoUrl` is set when no second factor is left. */
type RemovedPasskey = { name: string; undoUrl: string | null; key: string }

/** Reports that a passkey was removed. If no second factor is left, the email has a link that undoes it. */
export function passkeyRemovedMail(to: string, { name, undoUrl, key }: RemovedPasskey, appUrl: string): QueuedMail {
  return composeMail(to, `passkey-removed:${key}`, {
    subject: 'A passkey was removed from your account',
    preview: 'We signed you out on all other devices.',
    heading: 'A passkey was removed from your account',
    paragraphs: [
      undoUrl
        ? 'You can now sign in with just your password. We signed you out on all other devices.'
        : 'Nobody can sign in with this passkey anymore. We signed you out on all other devices.',
      ...(undoUrl
        ? [
            "Wasn't you? Take your account back with the button below. We'll sign out every device, and you'll choose a new password. The link works for three days.",
          ]
        : []),
    ],
    facts: [['Passkey', name]],
    ...(undoUrl
      ? { button: { label: "It wasn't me", url: undoUrl } }
      : { button: resetButton(appUrl), footer: notYou }),
  })
}
