import 'server-only'
import { findPublicDrop } from '@/lib/drops/queries'
import { optionKey } from '@/lib/drops/options/option-rules'
import { ofValue } from '@/lib/drops/options/option-view'
import { type DropRow, toDropView } from '@/lib/drops/view'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { consume } from '@/lib/infra/rate-limit'
import { newSecret } from '@/lib/kernel/id'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { knownTimeZone } from '@/lib/kernel/time'
import { countOptIn } from '@/lib/notifications/count-opt-in'
import { optInLimits } from '@/lib/notifications/opt-in-limits'
import { queueMail } from '@/lib/notifications/queue-mail'
import { refusedOptIns } from '@/lib/notifications/refused-opt-ins'
import { chooseOptionText } from '@/lib/checkout/choices/option-messages'
import { confirmReminderMail } from './mails'
import { waitlistError } from './messages'
import { isClosedEdition, waitingFor } from './rules'

/**
 * Sends an email that asks whether its recipient wants to join a drop's waitlist. A mailbox has only one place on the
 * list, even if it is entered with different tags (me+a@example.com). The response is the same for an address that is
 * already on the list, has reached today's limit or has refused such an email, so that nobody can find out who is on
 * the list. In a drop with
 * options, a person waits for a unit of one of the values (docs/product.md#options).
 * @throws DROP_NOT_FOUND, OWN_DROP, EDITION_CLOSED, ON_SALE, NOT_NOW, OPTION_MISSING, OPTION_UNKNOWN,
 *   TOO_MANY_REQUESTS
 */
export async function joinWaitlist(
  ctx: Context,
  input: { identifier: string; email: string; option?: string; timezone?: string },
): Promise<void> {
  const drop = await findPublicDrop(ctx, input.identifier)
  if (!drop) throw waitlistError('DROP_NOT_FOUND')
  if (ctx.actor.kind === 'user' && ctx.actor.userId === drop.userId) throw waitlistError('OWN_DROP')
  const wanted = wantedValue(drop, input.option)
  const view = ofValue(toDropView(drop), wanted?.value ?? null)
  if (isClosedEdition(view)) throw waitlistError('EDITION_CLOSED')
  const waitsFor = waitingFor(view)
  if (waitsFor === null) throw waitlistError(view.state === 'live' ? 'ON_SALE' : 'NOT_NOW')
  if (waitsFor === 'unit' && drop.option && !wanted) {
    throw waitlistError('OPTION_MISSING', { text: chooseOptionText(drop.option.name) })
  }
  const asked = { askedValueId: wanted?.id ?? null, askedStart: waitsFor === 'start' }
  const mailbox = mailboxOf(input.email)
  if ((await consume(optInLimits.mailbox, mailbox)) !== null) return
  const list = { name: 'waitlist-drop', id: drop.id } as const
  if (await refusedOptIns.has(list, mailbox)) return
  await countOptIn(ctx, list)
  const secret = newSecret()
  await transaction(ctx, async (tx) => {
    const tokenHash = sha256(secret)
    // An unconfirmed entry is deleted seven days after the newest request.
    const createdAt = ctx.clock.now()
    // Entries that are older than the column "mailbox" are found by their address.
    const known = await tx.db.waitlistEntry.findFirst({
      where: { dropId: drop.id, OR: [{ mailbox }, { email: input.email }] },
    })
    const timezone = knownTimeZone(input.timezone)
    // Nobody else can change the zone of a person who has confirmed.
    const zone = known?.confirmedAt ? {} : { timezone }
    const entry = known
      ? await tx.db.waitlistEntry.update({ where: { id: known.id }, data: { tokenHash, createdAt, ...asked, ...zone } })
      : await tx.db.waitlistEntry.upsert({
          where: { dropId_mailbox: { dropId: drop.id, mailbox } },
          create: { dropId: drop.id, email: input.email, mailbox, run: drop.run, tokenHash, timezone, ...asked },
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

/**
 * Returns the value that a visitor named, or null without one.
 * @throws OPTION_UNKNOWN
 */
function wantedValue({ option }: Pick<DropRow, 'option'>, named = '') {
  if (!option || optionKey(named) === '') return null
  const value = option.values.find((candidate) => optionKey(candidate.value) === optionKey(named))
  if (!value) throw waitlistError('OPTION_UNKNOWN')
  return value
}
