import 'server-only'
import { findPublicDrop } from '@/lib/drops/queries'
import { optionKey } from '@/lib/drops/option-rules'
import { ofValue } from '@/lib/drops/option-view'
import { type DropRow, toDropView } from '@/lib/drops/view'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { consume } from '@/lib/infra/rate-limit'
import { newSecret } from '@/lib/kernel/id'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { queueMail } from '@/lib/notifications/queue-mail'
import { chooseOptionText } from '@/lib/orders/messages'
import { platformError } from '@/lib/platform/messages'
import { confirmReminderMail } from './mails'
import { waitlistError } from './messages'
import { waitingFor } from './rules'

/**
 * The most confirmation emails per mailbox and day; further ones are not sent, so that strangers cannot flood an inbox.
 */
const perAddress = { name: 'waitlist-address', points: 5, windowSeconds: 86_400 }

/**
 * The most confirmation emails per drop and hour. A drop that goes viral needs a few hundred. Without a limit, strangers
 * could use us to send mail to addresses of their choice.
 */
const perDrop = { name: 'waitlist-drop', points: 1_000, windowSeconds: 3_600 }

/**
 * Emails an address to ask whether it wants to join a drop's waitlist. A mailbox has one place, whatever tag its address
 * has. The answer is the same for an address that is on the list already or has reached today's limit, so that nobody
 * can find out who is on it. Whoever waits for a unit of a drop with options waits for one of its values
 * (docs/product.md#options).
 * @throws DROP_NOT_FOUND, OWN_DROP, ON_SALE, NOT_NOW, OPTION_MISSING, OPTION_UNKNOWN, TOO_MANY_REQUESTS
 */
export async function joinWaitlist(
  ctx: Context,
  input: { identifier: string; email: string; option?: string },
): Promise<void> {
  const drop = await findPublicDrop(ctx, input.identifier)
  if (!drop) throw waitlistError('DROP_NOT_FOUND')
  if (ctx.actor.kind === 'user' && ctx.actor.userId === drop.userId) throw waitlistError('OWN_DROP')
  const wanted = wantedValue(drop, input.option)
  const view = ofValue(toDropView(drop), wanted?.value ?? null)
  const waitsFor = waitingFor(view)
  if (waitsFor === null) throw waitlistError(view.state === 'live' ? 'ON_SALE' : 'NOT_NOW')
  if (waitsFor === 'unit' && drop.option && !wanted) {
    throw waitlistError('OPTION_MISSING', { text: chooseOptionText(drop.option.name) })
  }
  const asked = { askedValueId: wanted?.id ?? null, askedStart: waitsFor === 'start' }
  const mailbox = mailboxOf(input.email)
  if ((await consume(perAddress, mailbox)) !== null) return
  const retryAfterSeconds = await consume(perDrop, String(drop.id))
  if (retryAfterSeconds !== null) throw platformError('TOO_MANY_REQUESTS', { retryAfterSeconds })
  const secret = newSecret()
  await transaction(ctx, async (tx) => {
    const tokenHash = sha256(secret)
    // Entries that are older than the column "mailbox" are found by their address.
    const known = await tx.db.waitlistEntry.findFirst({
      where: { dropId: drop.id, OR: [{ mailbox }, { email: input.email }] },
    })
    const entry = known
      ? await tx.db.waitlistEntry.update({ where: { id: known.id }, data: { tokenHash, ...asked } })
      : await tx.db.waitlistEntry.upsert({
          where: { dropId_mailbox: { dropId: drop.id, mailbox } },
          create: { dropId: drop.id, email: input.email, mailbox, run: drop.run, tokenHash, ...asked },
          update: { tokenHash, ...asked },
        })
    await queueMail(tx, [
      confirmReminderMail(
        entry,
        { ...drop, startsAt: waitsFor === 'start' ? drop.startedAt : null },
        secret,
        ctx.appUrl,
      ),
    ])
  })
}

/** The value that somebody wants; null when they name none. */
function wantedValue({ option }: Pick<DropRow, 'option'>, named = '') {
  if (!option || optionKey(named) === '') return null
  const value = option.values.find((candidate) => optionKey(candidate.value) === optionKey(named))
  if (!value) throw waitlistError('OPTION_UNKNOWN')
  return value
}
