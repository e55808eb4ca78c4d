import { orderedSoFarText } from '@/lib/drops/editions/open-messages'
import type { SellerDropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { DAY_MS, HOUR_MS } from '@/lib/kernel/time'
import { reviewTexts } from '@/lib/moderation/messages'
import type { SellerTaskKind, SellerTaskView } from '@/lib/orders/task-view'
import type { PayoutsState } from '@/lib/payouts/rules'
import type { MoneyLineView } from '@/lib/payouts/view'
import { highVolumeText, limitNoticeTexts, traderTexts } from '@/lib/traders/messages'
import type { TraderNoticeView } from '@/lib/traders/view'

/** A drop that starts or ends within this time is listed, so that the seller shares it again. */
const SOON_MS = 3 * HOUR_MS
/**
 * A refund request is sorted as if it were due this long after it was made. A dispute or a bank's question without a
 * deadline is sorted as if it were due this long from now.
 */
const ANSWER_WITHIN_MS = DAY_MS

/**
 * When money waits for a payout account, the line that asks for the account is sorted as if it were due this long from
 * now.
 */
const PAYOUTS_WITHIN_MS = 2 * DAY_MS

type ItemKind = SellerTaskKind | 'payouts' | 'startsSoon' | 'endsSoon' | 'soldOut' | 'review' | 'limit' | 'highVolume'

/** One line of the to-do list. */
export type ToDoItem = {
  key: string
  kind: ItemKind
  href: string
  title: string
  text: string
  /** A time as an ISO string, which is shown after the text in the reader's time zone. */
  at: string | null
  imageSrc: string | null
  /**
   * When the item is due, in milliseconds since 1970. Items that are never due have the largest number, so that
   * they come last.
   */
  dueMs: number
}

type Sources = {
  tasks: readonly SellerTaskView[]
  money: MoneyLineView
  drops: readonly SellerDropView[]
  /** What the seller should know about the monthly limit and the seller details; undefined when there is nothing. */
  notice?: TraderNoticeView
  nowMs: number
}

/** Returns what the seller should do now, the most urgent first. */
export function toDoItems({ tasks, money, drops, notice, nowMs }: Sources): ToDoItem[] {
  const payout = payoutItem(money, nowMs)
  const items = [
    ...tasks.map((task) => taskItem(task, nowMs)),
    ...(payout ? [payout] : []),
    ...drops.flatMap((drop) => dropItem(drop, nowMs) ?? []),
    ...(notice ? noticeItems(notice, nowMs) : []),
  ]
  return items.sort((a, b) => a.dueMs - b.dueMs)
}

const counted = (count: number, one: string, many: string) => (count === 1 ? one : `${formatCount(count)} ${many}`)

/**
 * The texts of each kind of task. `list` is the page that a line for several orders links to, or null if no page lists
 * these orders.
 */
const taskTexts: Record<
  SellerTaskKind,
  { title: (count: number) => string; text: (task: SellerTaskView) => string; list: string | null }
> = {
  dispute: {
    title: (count) => `Respond to ${counted(count, 'a dispute', 'more disputes')}`,
    text: () => 'Respond by',
    list: '/orders?show=disputed',
  },
  inquiry: {
    title: (count) => `Respond to ${counted(count, "a bank's question", 'more questions from banks')}`,
    text: () => 'Respond by',
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
  notStarted: ['Connect payouts', 'connect payouts', 'Connect a bank account so we can pay you.'],
  incomplete: ['Payouts incomplete', 'payouts incomplete', 'We still need some details before we can pay you.'],
  paused: ['Payouts paused', 'payouts paused', 'See what Stripe needs.'],
  disconnected: ['Connect payouts again', 'connect payouts again', 'Your Stripe account is no longer connected.'],
}

/**
 * Returns the next step toward being paid, such as "$24.00 waiting – connect payouts", or null if there is none
 * (docs/product.md#payouts).
 */
function payoutItem({ state, waitingCents }: MoneyLineView, nowMs: number): ToDoItem | null {
  const texts = payoutTexts[state]
  if (!texts) return null
  const [alone, afterMoney, text] = texts
  const isWaiting = waitingCents > 0
  return {
    key: 'payouts',
    kind: 'payouts',
    href: '/payouts',
    text,
    at: null,
    imageSrc: null,
    title: isWaiting ? `${formatUsd(waitingCents)} waiting – ${afterMoney}` : alone,
    dueMs: isWaiting ? nowMs + PAYOUTS_WITHIN_MS : Number.MAX_SAFE_INTEGER,
  }
}

/** Returns the lines about the limit of an unverified seller and about high volume. */
function noticeItems({ limit, highVolume }: TraderNoticeView, nowMs: number): ToDoItem[] {
  const place = { href: '/account/seller', at: null, imageSrc: null }
  const items: ToDoItem[] = []
  if (limit) {
    const { title, text } = limitNoticeTexts(limit)
    // Buyers are refused while the limit is used up, so the line comes first.
    items.push({ ...place, key: 'limit', kind: 'limit', title, text, dueMs: limit.stage === 'full' ? 0 : nowMs })
  }
  if (highVolume) {
    const text = highVolumeText(highVolume.sales, highVolume.revenueCents)
    items.push({ ...place, key: 'high volume', kind: 'highVolume', title: traderTexts.highVolume, text, dueMs: nowMs })
  }
  return items
}

function dropItem(drop: SellerDropView, nowMs: number): ToDoItem | null {
  const place = { href: `#drop-${drop.id}`, at: null, imageSrc: null, dueMs: Number.MAX_SAFE_INTEGER }
  if (drop.state === 'ended') return null
  if (drop.moderation === 'review') {
    const text = "Buyers can't see this drop while we review it. We'll email you when that's done."
    return { ...place, key: `review ${drop.id}`, kind: 'review', title: `${reviewTexts.badge}: ${drop.title}`, text }
  }
  if (drop.state === 'soldOut') {
    const [what, text] = drop.isOpenEdition
      ? (['has reached its cap', 'Nothing more can be ordered, and the edition never comes back.'] as const)
      : (['is sold out', 'Add units to sell more. Until then, people can join the waitlist.'] as const)
    return { ...place, key: `sold out ${drop.id}`, kind: 'soldOut', title: `${drop.title} ${what}`, text }
  }
  if (drop.state === 'upcoming') {
    const startMs = Date.parse(drop.startedAt)
    if (startMs - nowMs > SOON_MS) return null
    const title = `${drop.title} starts soon`
    const text = 'Share it once more before'
    return { ...place, key: `starts ${drop.id}`, kind: 'startsSoon', title, text, at: drop.startedAt, dueMs: startMs }
  }
  const endMs = Date.parse(drop.endTime)
  if (drop.state !== 'live' || endMs - nowMs > SOON_MS) return null
  const stock = drop.isOpenEdition
    ? orderedSoFarText(drop)
    : `${formatCount(drop.available)} of ${formatCount(drop.quantity)} left`
  const text = `${stock}. Share it once more before`
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
