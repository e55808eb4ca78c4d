import type { SellerDropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { reviewTexts } from '@/lib/moderation/messages'
import type { SellerTaskKind, SellerTaskView } from '@/lib/orders/seller-view'
import type { PayoutsState } from '@/lib/payouts/rules'
import type { MoneyLineView } from '@/lib/payouts/view'

/** A drop that starts or ends within this time is worth one more post. */
const SOON_MS = 3 * HOUR_MS
/** A refund request is sorted as if it had to be answered within this time; a dispute without a date likewise. */
const ANSWER_WITHIN_MS = DAY_MS

/** Money that waits for a payout account is sorted as if the account were due in this time. */
const PAYOUTS_WITHIN_MS = 2 * DAY_MS

type ItemKind = SellerTaskKind | 'payouts' | 'startsSoon' | 'endsSoon' | 'soldOut' | 'review'

/** One line of the list of what to do. */
export type ToDoItem = {
  key: string
  kind: ItemKind
  href: string
  title: string
  text: string
  /** A moment that is written after the text, in the reader's time zone. */
  at: string | null
  imageSrc: string | null
  /** By when it should be done, in ms; items without a date come last. */
  dueMs: number
}

type Sources = {
  tasks: readonly SellerTaskView[]
  money: MoneyLineView
  drops: readonly SellerDropView[]
  nowMs: number
}

/** Everything the seller should look at now, the most urgent first. */
export function toDoItems({ tasks, money, drops, nowMs }: Sources): ToDoItem[] {
  const payout = payoutItem(money, nowMs)
  const items = [
    ...tasks.map((task) => taskItem(task, nowMs)),
    ...(payout ? [payout] : []),
    ...drops.flatMap((drop) => dropItem(drop, nowMs) ?? []),
  ]
  return items.sort((a, b) => a.dueMs - b.dueMs)
}

const counted = (count: number, one: string, many: string) => (count === 1 ? one : `${formatCount(count)} ${many}`)

/** What each kind of task says, and the page with the orders when there are many. */
const taskTexts: Record<
  SellerTaskKind,
  { title: (count: number) => string; text: (task: SellerTaskView) => string; list: string | null }
> = {
  dispute: {
    title: (count) => `Respond to ${counted(count, 'a dispute', 'more disputes')}`,
    text: () => 'Due',
    list: '/orders?show=disputed',
  },
  inquiry: {
    title: (count) => `Answer ${counted(count, "a bank's question", 'more questions of banks')}`,
    text: () => 'Due',
    list: null,
  },
  refund: {
    title: (count) => `Answer ${counted(count, 'a refund request', 'more refund requests')}`,
    text: ({ day }) => `Requested ${day ?? ''}`,
    list: '/orders?show=asked',
  },
  late: {
    title: (count) => counted(count, '1 order is late', 'orders are late'),
    text: ({ count, day }) => (count === 1 ? `Was due ${day ?? ''}` : `The first was due ${day ?? ''}`),
    list: '/orders?show=ship',
  },
  ship: {
    title: (count) => counted(count, '1 order to ship', 'orders to ship'),
    text: ({ count, day }) => (count === 1 ? `Ship by ${day ?? ''}` : `Ship the first by ${day ?? ''}`),
    list: '/orders?show=ship',
  },
}

const orderPages: Partial<Record<SellerTaskKind, string>> = { late: '/ship', ship: '/ship' }

function taskItem(task: SellerTaskView, nowMs: number): ToDoItem {
  const { kind, count, orderId, at, title, imageSrc } = task
  const { list, ...say } = taskTexts[kind]
  const isAtBank = kind === 'dispute' || kind === 'inquiry'
  const isOne = count === 1
  const atMs = at === null ? nowMs : Date.parse(at)
  const when = isAtBank && at === null ? 'Respond soon' : say.text(task)
  return {
    key: `${kind} ${orderId}`,
    kind,
    href: isOne || list === null ? `/orders/${orderId}${isOne ? (orderPages[kind] ?? '') : ''}` : list,
    title: say.title(count),
    text: isOne ? `${title} · ${when}` : when,
    at: isAtBank ? at : null,
    imageSrc: isOne ? imageSrc : null,
    dueMs: kind === 'refund' || at === null ? atMs + ANSWER_WITHIN_MS : atMs,
  }
}

const payoutTexts: Partial<Record<PayoutsState, [alone: string, afterMoney: string, text: string]>> = {
  notStarted: ['Connect payouts', 'connect payouts', 'Connect a bank account, and we can pay you.'],
  incomplete: ['Payouts incomplete', 'payouts incomplete', 'We still need some details before we can pay you.'],
  paused: ['Payouts paused', 'payouts paused', 'See what Stripe needs.'],
  disconnected: ['Connect payouts again', 'connect payouts again', 'Your Stripe account is no longer connected.'],
}

/** The next step towards being paid, such as "$24.00 waiting – connect payouts" (docs/product.md#payouts). */
function payoutItem({ state, waitingCents }: MoneyLineView, nowMs: number): ToDoItem | null {
  const texts = payoutTexts[state]
  if (!texts) return null
  const [alone, afterMoney, text] = texts
  const isWaiting = waitingCents > 0
  return {
    ...{ key: 'payouts', kind: 'payouts', href: '/payouts', text, at: null, imageSrc: null },
    title: isWaiting ? `${formatUsd(waitingCents)} waiting – ${afterMoney}` : alone,
    dueMs: isWaiting ? nowMs + PAYOUTS_WITHIN_MS : Number.MAX_SAFE_INTEGER,
  }
}

function dropItem(drop: SellerDropView, nowMs: number): ToDoItem | null {
  const place = { href: `#drop-${drop.id}`, at: null, imageSrc: null, dueMs: Number.MAX_SAFE_INTEGER }
  if (drop.state === 'ended') return null
  if (drop.moderation === 'review') {
    const text = "Buyers can't see it yet. We'll email you when we've looked at it."
    return { ...place, key: `review ${drop.id}`, kind: 'review', title: `${reviewTexts.badge}: ${drop.title}`, text }
  }
  if (drop.state === 'soldOut') {
    const text = 'You can add units, or let people join the waitlist.'
    return { ...place, key: `sold out ${drop.id}`, kind: 'soldOut', title: `${drop.title} is sold out`, text }
  }
  if (drop.state === 'scheduled') {
    const startMs = Date.parse(drop.startedAt)
    if (startMs - nowMs > SOON_MS) return null
    const title = `${drop.title} starts soon`
    const text = 'Share it once more before'
    return { ...place, key: `starts ${drop.id}`, kind: 'startsSoon', title, text, at: drop.startedAt, dueMs: startMs }
  }
  const endMs = Date.parse(drop.endTime)
  if (drop.state !== 'live' || endMs - nowMs > SOON_MS) return null
  const text = `${formatCount(drop.available)} of ${formatCount(drop.quantity)} left. Share it once more before`
  return {
    ...place,
    key: `ends ${drop.id}`,
    kind: 'endsSoon',
    title: `${drop.title} ends soon`,
    text,
    at: drop.endTime,
    dueMs: endMs,
  }
}
