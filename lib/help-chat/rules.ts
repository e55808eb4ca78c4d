import { buyerTopics } from './buyer-rules'
import { helpAnswers, type HelpTopic } from './answer-messages'
import { helpChatTexts } from './messages'

/** A chat message. Messages stay in the page's memory and are not sent to the server (docs/product.md#help-chat). */
export type ChatMessage = { id: number; role: 'user' | 'assistant'; content: string; timestamp: number }

/** How long a reply takes to appear (docs/product.md#help-chat). */
export const REPLY_AFTER_MS = 400
export const MAX_QUESTION = 500

/**
 * Narrow topics. They are checked after the words of SECRET and before all other topics, because their phrases contain
 * words of those topics. For example, "license key" belongs to the topic `keys`, but "key" alone to `security`.
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
