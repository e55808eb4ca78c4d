import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'

const LINK_INVALID = 'This link is not good any more. Ask for a new one on the page of the drop.'

const waitlistErrors = {
  DROP_NOT_FOUND: { status: 404, text: "This drop may have expired or doesn't exist." },
  ON_SALE: { status: 409, text: 'Good news: it can be bought right now.' },
  NOT_NOW: { status: 409, text: 'This drop is paused right now. Please try again later.' },
  OWN_DROP: { status: 403, text: 'This is your own drop. The reminder is for those who want to buy it.' },
  LINK_INVALID: { status: 410, text: LINK_INVALID },
  CLAIM_OVER: { status: 410, text: 'This claim is over: the unit was bought, or went to the next in line.' },
} as const satisfies ErrorTable

export const waitlistError = /* @__PURE__ */ errorsFrom(waitlistErrors)

export const waitlistTexts = {
  remindTitle: 'Remind me',
  remindText: 'One mail when this drop is launched again. Nothing else.',
  lineTitle: 'Get the next one',
  lineText: 'When a unit comes back, the first in line gets it for ten minutes. A relaunch is told as well.',
  button: 'Remind me',
  sentTitle: 'Check your inbox',
  sent: 'We sent you a mail. Tap the link in it, and you are on the list.',
  confirmTitle: 'One tap, and you are on the list',
  confirm:
    'We write when the drop is launched again, or when a unit is yours to take. Every mail has a link that stops it.',
  confirmButton: 'Yes, remind me',
  doneTitle: 'You are on the list',
  done: 'We write to you when there is news. Every mail has a link that stops it.',
  linkInvalid: LINK_INVALID,
  stopTitle: 'Stop these mails?',
  stop: 'You will not hear of this drop again.',
  stopButton: 'Stop these mails',
  stoppedTitle: 'Done, no more mails',
  stopped: 'You will not hear of this drop again.',
  claimTitle: 'It is yours to take',
  claimOverTitle: 'This claim is over',
} as const
