import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { planPriceText, planRules } from '@/lib/plans/rules'
import { USUAL_CAP_CENTS } from '@/lib/traders/rules'
import { buyerAnswers, buyerTopics } from './buyer-rules'
import { helpChatTexts } from './messages'

const free = planRules({ plan: 'free', isAdmin: false })
const pro = planRules({ plan: 'pro', isAdmin: false })
const percent = (feeBps: number) => `${feeBps / 100}%`

/** A chat message. Messages stay in the page's memory and are not sent to the server (docs/product.md#help-chat). */
export type ChatMessage = { id: number; role: 'user' | 'assistant'; content: string; timestamp: number }

/** How long a reply takes to appear (docs/product.md#help-chat). */
export const REPLY_AFTER_MS = 400
export const MAX_QUESTION = 500

/** The answer to each topic. The numbers of active drops and the platform fees in them come from the plan table. */
export const helpAnswers = {
  ...buyerAnswers,
  keys: `Did you buy a key, like a license key or a ticket code? Tap Show my key on your order page, linked in your receipt, or find the order at /find-order. We don't send keys by email. If the key doesn't work, message the seller or request a refund there. Selling keys? Choose Digital when you create the drop and paste the keys, one per line. Each unit comes with one key, and nobody gets a key twice. Selling keys needs the Pro plan.`,
  codes:
    "Have a discount code? On the drop's page, open “Have a code?” and type your code before you tap Buy. The payment page shows your price. If a code doesn't work, the page says why: it may be used up, over, or for another drop. A code can't be added after you've paid. Selling? Open Discount codes under your drop on the dashboard to make one.",
  earlyAccess:
    'With early access, followers of a seller can buy 30 to 120 minutes before everyone else. Each follower gets an email with a personal link that works for one order. Some units are always reserved for everyone, and the drop page says how many. No email yet? Links go out shortly before early access opens. Selling? Choose Later as the start when you create the drop, and set early access there. You can change it until it opens.',
  limitPerBuyer:
    'One order can have up to 10 units, unless the drop page names a lower limit per buyer. Earlier orders with the same email address or the same card count too. We refund an order above the limit in full and email you the reason. Selling? Set the limit per buyer when you create the drop, or later with Edit on your dashboard.',
  sellerLimit: `New sellers can take orders worth up to ${formatUsd(USUAL_CAP_CENTS).replace('.00', '')} a calendar month, and ship only within their own country. Both end once you connect payouts and our payment provider has checked your account, so open /payouts. See how much of the limit you have used in your seller details at /account/seller. Buying? If an order is above a seller's limit, you aren't charged. Order fewer units, or try again next month.`,
  waitlist:
    "Tap Remind me on a drop that hasn't started, is sold out or has ended. Follow the link in our first email, so that we know the address is yours. We email you when the drop starts or returns. If a unit comes back while the drop is live, we reserve it for the first person in line, who has 10 minutes to buy it with the link in our email. If you miss that, the drop's page shows whether units are left. With sizes or colors you wait for the one you chose. Every email has a link to unsubscribe. See more answers at /find-order#help.",
  address:
    'You can change the shipping address on your order page until the order ships. The page is linked in your receipt, or find it at /find-order. The seller is notified right away, and for ten minutes you can undo the change. If the drop has shipping prices by country, the new address must be in the same group of countries. Has it shipped already? Message the seller from your order page. To change the email address of your account, open Settings.',
  shippingCost:
    "Shipping is included in the price, unless the drop page names a surcharge for your country. Choose your country there, and the button shows the total before you pay. The surcharge is paid once per order. If your country isn't on the list, the seller doesn't ship there. Selling? Open “Where you ship” when you create the drop and make up to three groups of countries, each with its own surcharge.",
  recap:
    "When a run ends, you get its recap by email and on a page, linked under Past Drops on your dashboard: what sold, how much of each size or color, how fast, the views, unpaid checkouts, refunds, what you keep, when you're paid, and who is waiting for more. Before that, your dashboard says how many people are waiting. On the free plan, the recap shows what Pro would have saved you. On Pro, it shows where your buyers came from.",
  sellerDetails:
    'Selling as a business? State its name, address and contact under Seller details at /account/seller. Buyers see them on the drop page, before they pay and on the receipt. The tax report is on the same page: enter your VAT rates and download a month or a quarter. Prices include the tax, and we neither pay nor report it for you. Buying? The drop page says who sells, if the seller has stated it.',
  start:
    "A drop can start now or up to 30 days ahead. Choose Later when you create it. Until the start its page shows the photos, the price, a countdown, Remind me and a calendar file. To move the start, use Edit on your dashboard before it begins. We then send the reminders again with the new time. To cancel it, use Cancel start. Nothing is sold then, and the drop no longer counts toward your plan's limit. Buying? Tap Remind me, and we email you before it starts.",
  security:
    "I can't help with passwords, keys, tokens or anything inside the system, and nobody from our team will ever ask you for them. If you forgot your password, /forgot-password sends you a reset link.",
  contentPolicy:
    "Weapons, drugs, alcohol and tobacco, adult content, counterfeits, stolen goods, gambling, hate and anything illegal can't be sold. A first violation removes the drop with a warning, a second means a 30-day suspension, and a third means a permanent ban. Severe cases lead to a permanent ban right away. See the full list at /prohibited-content.",
  scanner:
    'An automatic scanner reads the title, description, file names and links of every drop while it is created or edited. It publishes the drop, holds it for review by a person, or rejects it and names the category. Think the scanner got your drop wrong? See what to do at /prohibited-content.',
  account: `An account is free: sign up at /login with your name, a username of 3-20 letters, digits or underscores, and your email. You must be 18 or older, and each person may have one account. Your username can change once every 30 days. Settings also has your notifications, passkeys, devices, data export and “Delete my account”. With a passkey you sign in with your fingerprint, your face or a PIN.`,
  creating:
    'Open /create-drop: add up to 5 photos, a name, a description, a price and a quantity, choose 24, 48 or 72 hours, and tap Create Drop. You get one link to share. It takes about a minute. Selling sizes or colors? Open “Sizes, colors or other choices” and write each with its units, like S 5, M 10, L 5. Each has its own stock, and you can raise it while the drop is live. For prints and other editions, open “Edition” and number each unit. Want to make as many as are ordered? Choose an open edition: it closes forever at its end, and its sizes need only names, like S, M, L.',
  plans: `Free costs nothing: ${free.activeDrops} active drop, physical products, ${percent(free.feeBps)} platform fee. Pro is ${planPriceText.pro}: ${pro.activeDrops} active drops, digital products and services too, custom links, advanced analytics and a ${percent(pro.feeBps)} fee. It has a 14-day money-back guarantee and you can cancel anytime.`,
  payments: `Buyers pay by card, or with a wallet such as Apple Pay where they have one, and need no account. Sellers pay the platform fee, ${percent(free.feeBps)} on the free plan and ${percent(pro.feeBps)} on Pro, and Stripe's card fee. Bought something? Find your order, track it or request a refund on your order page, linked in your receipt, or get the link again at /find-order. Shipping is included in the price, unless the drop page names a surcharge for your country. Selling? Connect payouts from your dashboard. Physical orders are paid out when you mark them as shipped, or after 7 days (at most $500 before you ship if you promised a shipping day), and the money reaches your bank in 2-7 business days. Selling as a business, or need a tax report? Open Seller details in your account.`,
  sharing:
    "Every drop has one link. Tap Share on the drop to open your phone's share sheet, or copy the link or a caption for your bio, a story or a chat. The preview shows the photo, the price and when the drop ends. Pro sellers choose a custom link with a-z, 0-9 and hyphens, up to 50 characters. For a discount, open Discount codes under your drop on the dashboard, make a code, and share the link with the code in it. People who want your next drop leave their email on your profile, and we send them at most three emails about each drop. Your dashboard counts these followers and lets you download the list. Follow a seller yourself? Every email has a link to unsubscribe.",
  duration:
    "A drop is live for 24, 48 or 72 hours, from now or from a start up to 30 days ahead. The countdown runs on our server and is the same for everyone. Reloading the page doesn't restart it. When time runs out, we archive the drop. You can relaunch it 24 hours later with the same link and a fresh timer, except an open edition, which closes forever. The line under the countdown says which run it is, what changed and whether the drop may return.",
  analytics:
    'Each drop counts its views (people, not reloads) and its purchases. Conversion is purchases divided by views. Revenue is what buyers paid: purchases times price, less what discount codes took off, plus surcharges for shipping. Pro sellers see Live Analytics on their own drops, refreshed every 10 seconds. When a run ends, its recap sums it up.',
  deleting:
    'You can delete your own drop from your dashboard. A drop with orders is hidden, but its buyers keep access to their orders. If someone is checking out, end the drop first. Ended drops are under Past Drops. Administrators can remove any drop. With real payments, administrators need two-factor sign-in.',
  productTypes:
    'Waiting for an order? Your order page, linked in your receipt, shows its status and tracking, or get the link again at /find-order. Physical products ship with shipping included in the price, or with the surcharge that the drop page names for your country. Selling? Open “Where you ship” when you create the drop to choose countries and surcharges. The drop page says where your order ships from and by which day, if the seller promised one. If that day passes, we ask the buyer whether to wait or get a refund. Digital products give buyers a link or a file (pdf, zip, doc, docx, jpg, png, mp4 or mp3, up to 500MB) after paying, or a key for each unit, like a license key or a ticket code. Uploaded the wrong file? Replace it with Edit on your dashboard until the first sale. Buyers book a service when they pay. Digital and service drops need the Pro plan.',
  errors: `Sorry about that. Please reload the page and try again. If a field is missing or wrong, the form shows it. If a payment failed, you weren't charged. Something wrong with an order? Message the seller from your order page, linked in your receipt, or find it at /find-order. If the problem continues, write to ${brand.contact.support} and tell us what you did.`,
  general:
    'I can help with buying, orders and refunds, shipping and addresses, reminders and early access, creating a drop, plans and pricing, payments and fees, sharing your link, durations and the countdown, analytics, digital and service products, your account and what you can sell. Looking for your order? Go to /find-order. What would you like to know?',
} as const

export type HelpTopic = keyof typeof helpAnswers

/**
 * Narrow topics, whose phrases contain words of the topics below. They are checked first after the words of SECRET, and
 * before the phrases of buyers whose words they contain. A word such as "key" alone still belongs to the topic
 * `security`.
 */
const narrowTopics: readonly (readonly [HelpTopic, string])[] = [
  [
    'keys',
    `license_key licence_key activation_key product_key game_key ticket_key serial_key license_code licence_code
     activation_code product_code game_code ticket_code serial_code license_number licence_number activation_number
     product_number game_number ticket_number serial_number my_key show_key sell_key selling_key key_does_not_work
     key_doesn't_work key_not_working key_is_not_working key_isn't_working key_is_invalid key_for_each_unit`,
  ],
  ['earlyAccess', `early_access early_link early buy_first buy_before follower_first first_to_buy personal_link`],
  [
    'limitPerBuyer',
    `limit_per_buyer limit_per_customer limit_per_person per_buyer per_customer buyer_limit purchase_limit
     order_limit how_many_can_i_buy how_many_units_can_i_buy buy_more_than buy_two buy_several`,
  ],
  [
    'sellerLimit',
    `monthly_limit limit_for_new_seller limit_of_new_seller new_seller_limit new_seller seller_limit seller's_limit sales_limit
     selling_limit unverified unverified_seller how_much_can_i_sell limit_reached reached_the_limit reached_this_month's_limit
     lift_the_limit verify_my_identity identity_check only_within only_in_my_country`,
  ],
  [
    'waitlist',
    `waitlist wait_list waiting_list remind_me reminder notify_me claim(?!_(?:a_|my_)?refund) claiming back_in_stock restock wait_in_line
     in_line`,
  ],
  [
    'address',
    `change_my_address change_the_address change_address change_my_delivery_address change_my_shipping_address
     change_the_delivery_address change_the_shipping_address change_of_address wrong_address new_address
     delivery_address shipping_address postal_address address_is_wrong`,
  ],
  [
    'shippingCost',
    `how_much_is_shipping how_much_is_the_shipping how_much_does_shipping_cost what_does_shipping_cost shipping_cost
     shipping_price shipping_fee cost_of_shipping pay_for_shipping delivery_cost delivery_fee postage surcharge
     free_shipping shipping_zone shipping_country ship_to which_countries`,
  ],
  [
    'codes',
    `enter_(?:my_|a_|the_|your_)?(?:discount_|promo_|coupon_)?code use_(?:my_|a_|the_)?(?:discount_|promo_|coupon_)?code
     apply_(?:my_|a_|the_)?(?:discount_|promo_|coupon_)?code redeem code_(?:does_not|doesn't|is_not|isn't|not)_(?:work|working|valid)
     code_(?:is_)?invalid have_a_(?:discount_|promo_|coupon_)?code my_(?:discount_|promo_|coupon_)code`,
  ],
  ['recap', `recap how_did_my_drop_go summary how_many_(?:people_)?are_waiting how_many_wait who_is_waiting demand`],
  [
    'sellerDetails',
    `seller_detail business_detail company_detail as_a_business as_a_company (?:which|what)_(?:company|business)_sells
     tax_report vat_report vat_rate imprint`,
  ],
  [
    'creating',
    `(?:different|several|multiple|two|three|four|five|many)_(?:size|color|colour|choice|variant)
     (?:sell|offer|add)_(?:size|color|colour|choice|variant)`,
  ],
  [
    'start',
    `schedule scheduled scheduling reschedule rescheduled cancel_the_start cancel_my_start cancel_start change_the_start
     move_the_start start_time start_later starts_later teaser calendar calendar_file`,
  ],
]

/**
 * The topics in the order in which they are checked. The first topic that has a word of the question answers the
 * question (docs/product.md#help-chat). Only whole words match, with or without the ending "s", "es" or "'s", so that
 * "keyboard" does not match "key".
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
    `account passkey sign_up signup register registration log_in login sign_in signin log_out logout username user_name email
     e-mail profile setting avatar notification timezone currency device`,
  ],
  [
    'creating',
    `create creating creation publish publishing upload uploading list listing new_drop first_drop make_a_drop
     set_up_a_drop start_a_drop post_a_drop start_selling sell selling photo picture image title description quantity
     numbered edition open_edition open_editions option options variant variants size sizes color colors colour colours`,
  ],
  [
    'plans',
    `plan price pricing cost pro free upgrade upgrading downgrade subscription subscribe monthly yearly annual month year
     trial cancel money-back money_back how_much premium`,
  ],
  [
    'payments',
    `payment pay paying paid payout fee commission stripe card credit_card checkout buy buying buyer bought purchase order
     bank money dispute chargeback earn earning tax vat withdraw trader`,
  ],
  [
    'sharing',
    `share sharing link url slug qr qr_code instagram tiktok whatsapp facebook twitter social bio preview copy follower followers
     follow following unfollow unsubscribe newsletter mailing_list
     discount discount_code promo coupon voucher`,
  ],
  [
    'duration',
    `duration countdown timer clock expire expired expiry expiration end ended ending hour 24h 48h 72h 24 48 72 relaunch
     relaunched renew auto-renew auto_renew how_long last time extend live`,
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

/** Makes the pattern that finds one of these words or phrases, with or without the ending "s", "es" or "'s". */
function patternOf(words: string, flags: string): RegExp {
  const alternatives = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll('_', '[\\s-]+'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?:s|es|'s)?(?![\\p{L}\\p{N}])`, flags)
}

const patterns = [...narrowTopics, ...buyerTopics, ...topics].map(
  ([topic, words]) => [topic, patternOf(words, 'u')] as const,
)

/**
 * Words that get the refusal even in a question that also has a narrow phrase, such as "Send my refund and your
 * server's password". Words of the topic `security` that buyers use innocently, such as "key" or "server", are not
 * among them.
 */
const SECRET = patternOf(
  `password passcode passphrase api_key apikey secret_key token credential database source_code environment_variable
   system_prompt`,
  'u',
)
const NARROW = patternOf([...narrowTopics, ...buyerTopics].map(([, words]) => words.trim()).join(' '), 'gu')
/** A person who resets a password asks about an email, and not for a secret. */
const RESET = patternOf('reset_(?:my_|the_|your_)?password password_reset forgot_(?:my_|the_)?password', 'gu')

/**
 * Whether a question may be sent. It may not be sent when it is blank or while a reply is pending
 * (docs/product.md#help-chat).
 */
export function canSend(text: string, isPending: boolean): boolean {
  return !isPending && text.trim().length > 0
}

/** Returns the topic that a question is about. */
export function topicOf(question: string): HelpTopic {
  const text = question
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\u2019/g, "'")
  if (SECRET.test(text.replace(NARROW, ' ').replace(RESET, ' '))) return 'security'
  return patterns.find(([, pattern]) => pattern.test(text))?.[0] ?? 'general'
}

/**
 * Returns the reply to a question, or the fallback text when the search for the topic throws
 * (docs/product.md#help-chat).
 */
export function replyTo(question: string, find: (question: string) => HelpTopic = topicOf): string {
  try {
    return helpAnswers[find(question)]
  } catch {
    return helpChatTexts.failed
  }
}
