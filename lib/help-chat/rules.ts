import { brand } from '@/lib/kernel/brand'
import { planRules } from '@/lib/plans/rules'
import { helpChatTexts } from './messages'

const free = planRules({ plan: 'free', isAdmin: false })
const pro = planRules({ plan: 'pro', isAdmin: false })
const percent = (feeBps: number) => `${feeBps / 100}%`

/** A chat message; it is stored only in the browser (docs/product.md#help-chat). */
export type ChatMessage = { id: number; role: 'user' | 'assistant'; content: string; timestamp: number }

/** How long a reply takes to appear (docs/product.md#help-chat). */
export const REPLY_AFTER_MS = 400
export const MAX_QUESTION = 500

/** The answer to each topic; its limits and fees come from the plan table. */
export const helpAnswers = {
  security:
    "I can't help with passwords, keys, tokens or anything inside the system, and nobody from our team will ever ask you for them. If you forgot your password, /forgot-password sends you a reset link.",
  contentPolicy:
    'Weapons, drugs, alcohol and tobacco, adult content, counterfeits, stolen goods, gambling, hate and anything illegal cannot be sold. A first violation removes the drop with a warning, a second means a 30-day suspension, and a third means a permanent ban. Severe cases are banned right away. See the full list at /prohibited-content.',
  scanner:
    'An automatic scanner reads the title, description, file names and links of every drop while it is created or edited. It publishes the drop, holds it for review by a person, or rejects it and names the category. Think it got yours wrong? See what to do at /prohibited-content.',
  account: `An account is free: sign up at /login with your name, a username of 3-20 letters, digits or underscores, and your email. You must be 18 or older, one account per person. Your username can change once every 30 days. Settings also has your notifications, devices, data export and "Delete my account".`,
  creating:
    'Open /create-drop: add up to 5 photos, a name, a description, a price and a quantity, choose 24, 48 or 72 hours, and tap Create Drop. You get one link to share. It takes about a minute. Selling sizes or colors? Open "Sizes, colors or other choices" and write each with its units, like S 5, M 10, L 5. Each has its own stock, and you can raise it while the drop is live.',
  plans: `Free costs nothing: ${free.activeDrops} active drop, physical products, ${percent(free.feeBps)} platform fee. Pro is $10 per month or $96 per year: ${pro.activeDrops} active drops, digital products and services too, custom links, advanced analytics and a ${percent(pro.feeBps)} fee. It has a 14-day money-back guarantee and you can cancel anytime.`,
  payments: `Buyers pay by card and need no account. The platform fee is ${percent(free.feeBps)} on the free plan and ${percent(pro.feeBps)} on Pro; the card fee comes on top. Bought something? Find your order, track it or request a refund on your order page, linked in your receipt, or get the link again at /find-order. Shipping is included in the price. Selling? Connect payouts from your dashboard. Physical orders are paid out when you mark them as shipped, or after 7 days, and the money reaches your bank in 2-7 business days.`,
  sharing:
    'Every drop has one link. Tap Share on the drop to open your phone’s share sheet, or copy the link for your bio, a story or a chat. The preview shows the photo, the price and when it ends. Pro sellers choose a custom link with a-z, 0-9 and hyphens, up to 50 characters. For a discount, open Discount codes under your drop on the dashboard, make a code, and share the link with the code in it.',
  duration:
    'A drop is live for 24, 48 or 72 hours, from now or from a start up to 30 days ahead. The countdown runs on our server, is the same for everyone and never restarts. When it ends, the drop is archived automatically. 24 hours later you can relaunch it with the same link and a fresh timer.',
  analytics:
    'Each drop counts its views (people, not reloads) and its purchases. Conversion is purchases divided by views. Revenue is purchases times price, less what discount codes took off. Pro sellers see Live Analytics on their own drops, refreshed every 10 seconds.',
  deleting:
    'You can delete your own drop from your dashboard. A drop with orders is hidden, but its buyers keep access to their orders. If someone is checking out, end the drop first. Ended drops are under Past Drops. Administrators can remove any drop; they sign in with two-factor authentication.',
  productTypes:
    'Waiting for an order? Your order page, linked in your receipt, shows its status and tracking, or get the link again at /find-order. Physical products ship with shipping included in the price, and the drop page says how. Digital products give buyers a link or a file (pdf, zip, doc, docx, jpg, png, mp4 or mp3, up to 500MB) after paying. Services are booked with the purchase. Digital and service drops need the Pro plan.',
  errors: `Sorry about that. Please reload the page and try again. If a field is missing or wrong, the form shows it. If a payment failed, you weren't charged. Something wrong with an order? Message the seller from your order page, linked in your receipt, or find it at /find-order. If the problem stays, write to ${brand.contact.support} and tell us what you did.`,
  general:
    'I can help with buying, orders and refunds, creating a drop, plans and pricing, payments and fees, sharing your link, durations and the countdown, analytics, digital and service products, your account and what you can sell. Looking for your order? Go to /find-order. What would you like to know?',
} as const

export type HelpTopic = keyof typeof helpAnswers

/**
 * The topics in the order in which they are checked: the first one that has a word of the question answers
 * (docs/product.md#help-chat). Whole words with their usual endings are matched, so that "keyboard" does not match
 * "key".
 */
const topics: readonly (readonly [HelpTopic, string])[] = [
  [
    'security',
    `password passcode passphrase key apikey secret token credential admin administrator superuser root server database
     backend sql injection inject hack hacker hacking exploit vulnerability jailbreak bypass cookie session ssh env
     source_code environment_variable system_prompt private_data`,
  ],
  [
    'contentPolicy',
    `prohibited forbidden allowed allow banned ban illegal legal policy policies rule content violation violate strike
     suspend suspended suspension weapon gun drug alcohol tobacco vape counterfeit fake replica adult nsfw porn gambling
     stolen can_i_sell can't_sell cannot_sell not_sell`,
  ],
  ['scanner', `ai scanner scan scanned scanning moderation moderated flag flagged blocked rejected refused review`],
  [
    'account',
    `account sign_up signup register registration log_in login sign_in signin log_out logout username user_name email
     e-mail profile setting avatar notification timezone currency device`,
  ],
  [
    'creating',
    `create creating creation publish publishing upload uploading list listing new_drop first_drop make_a_drop
     set_up_a_drop start_a_drop post_a_drop start_selling sell selling photo picture image title description quantity
     option options variant variants size sizes color colors colour colours`,
  ],
  [
    'plans',
    `plan price pricing cost pro free upgrade upgrading downgrade subscription subscribe monthly yearly annual month year
     trial cancel money-back money_back how_much premium`,
  ],
  [
    'payments',
    `payment pay paying paid payout fee commission stripe card credit_card checkout buy buying buyer bought purchase order
     refund refunded bank money dispute chargeback earn earning tax receipt withdraw`,
  ],
  [
    'sharing',
    `share sharing link url slug qr qr_code instagram tiktok whatsapp facebook twitter social bio preview copy follower
     discount discount_code promo coupon voucher`,
  ],
  [
    'duration',
    `duration countdown timer clock expire expired expiry expiration end ended ending hour 24h 48h 72h 24 48 72 relaunch
     relaunched renew auto-renew auto_renew how_long last time extend live schedule
     scheduled`,
  ],
  ['analytics', `analytics analytic view viewer visitor conversion revenue stat statistic tracking traffic insight`],
  [
    'deleting',
    `delete deleting deleted deletion remove removing removed archive archived moderator take_down kill_switch`,
  ],
  [
    'productTypes',
    `digital service physical download file shipping ship shipped delivery pdf zip video booking product`,
  ],
  [
    'errors',
    `error problem issue bug broken fail failed failing failure stuck crash crashed wrong trouble slow not_working
     doesn't_work does_not_work not_load won't_load`,
  ],
]

const patterns = topics.map(([topic, words]) => {
  const alternatives = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', '[\\s-]+'))
  return [
    topic,
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?:s|es|'s)?(?![\\p{L}\\p{N}])`, 'u'),
  ] as const
})

/** Whether a question may be sent: not when it is blank, nor while a reply is pending (docs/product.md#help-chat). */
export function canSend(text: string, isPending: boolean): boolean {
  return !isPending && text.trim().length > 0
}

/** The topic that a question is about. */
export function topicOf(question: string): HelpTopic {
  const text = question.normalize('NFKC').toLowerCase().replaceAll('’', "'")
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'general'
}

/** The reply to a question; the fallback text when finding it fails (docs/product.md#help-chat). */
export function replyTo(question: string, find: (question: string) => HelpTopic = topicOf): string {
  try {
    return helpAnswers[find(question)]
  } catch {
    return helpChatTexts.failed
  }
}
