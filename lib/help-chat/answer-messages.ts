import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { planPriceText, planRules } from '@/lib/plans/rules'
import { USUAL_CAP_CENTS } from '@/lib/traders/rules'

const { support } = brand.contact
const free = planRules({ plan: 'free', isAdmin: false })
const pro = planRules({ plan: 'pro', isAdmin: false })
const percent = (feeBps: number) => `${feeBps / 100}%`

/** Builds an answer. The first line is the short answer, and each further line is a step or a detail. */
const answer = (...lines: string[]) => lines.join('\n')

/** Says how a buyer gets to the order page, where most answers about an order continue. */
const FIND_PAGE = 'Open the link in your receipt email, or get the link again at /find-order.'
const REFUND_RULES = 'See how refunds work at /terms-of-service#refunds.'

/** The answers to buyers who have a question about an order. Each of them starts with the buyer's next step. */
export const buyerAnswers = {
  orderStatus: answer(
    'Your order page shows the status, the tracking, and your download or key.',
    FIND_PAGE,
    'There you can also message the seller, change the address or request a refund.',
    'Selling? Open Orders on your dashboard.',
  ),
  tracking: answer(
    'Your tracking is on your order page. We also email you when the seller ships your order.',
    FIND_PAGE,
    "If the seller promised a day and that day passes, we'll ask if you want to wait or get a refund.",
    "Your package hasn't arrived? Message the seller or request a refund on your order page.",
    'Selling? Add the tracking under Orders when you mark an order as shipped.',
  ),
  refund: answer(
    "Tap Request a refund on your order page, and say what's wrong or what you'd like to send back.",
    FIND_PAGE,
    `The seller decides, and we email you the answer. ${REFUND_RULES}`,
    'Selling? Open the order on your dashboard and refund all or part of it.',
    'Asking about Pro? The 14-day money-back guarantee is in Settings.',
  ),
  cancelOrder: answer(
    "Tap Request a refund on your order page, and say that you'd like to cancel.",
    FIND_PAGE,
    `The seller decides, and we email you the answer. ${REFUND_RULES}`,
    "Haven't paid yet? Leave the payment page, and you won't be charged.",
    'Selling? Open the order on your dashboard to refund it.',
  ),
  contactSeller: answer(
    "Tap Contact the seller on your order page. The seller's reply comes to your email.",
    FIND_PAGE,
    `The seller doesn't answer? Request a refund there, and if nothing happens, write to ${support}.`,
  ),
  noEmail: answer(
    'Get the link to your order at /find-order. Enter the email address you used at checkout.',
    'Look in your spam folder, too. Your order page also has the receipt to print.',
    `Still no email, or a typo in the address? Write to ${support} with the date and the amount.`,
    'Waiting for a link to reset your password? Ask for a new one at /forgot-password.',
  ),
  paymentFailed: answer(
    "If a payment failed, you weren't charged. Try again, or use another card.",
    'You paid but see no order? Get the link to your order at /find-order.',
    'If your payment came after the last unit was sold, we refund you in full and email you.',
    `Charged twice, or still no order after ten minutes? Write to ${support} with the date and the amount.`,
  ),
  safety: answer(
    'Yes, paying here is safe. You pay through Stripe, our payment provider, and the seller never sees your card.',
    `Something wrong with an order? Request a refund on your order page, which you'll find at /find-order. ${REFUND_RULES}`,
    'Does a drop look wrong to you? Tap “Report this drop” on its page.',
  ),
  support: answer(
    `Write to ${support} and tell us what happened.`,
    "Is it about an order? The seller answers fastest. Tap Contact the seller on your order page, which you'll find at /find-order.",
  ),
} as const

/** The answer to each topic. The numbers of active drops and the platform fees in them come from the plan table. */
export const helpAnswers = {
  ...buyerAnswers,
  keys: answer(
    "Tap Show my key on your order page. We don't send keys by email.",
    FIND_PAGE,
    "The key doesn't work? Message the seller or request a refund there.",
    'Selling keys needs the Pro plan. Choose Digital when you create the drop and paste the keys, one per line. Nobody gets a key twice.',
  ),
  codes: answer(
    "On the drop's page, open “Have a code?” and type your discount code before you tap Buy.",
    "The payment page shows your price. You can't add a code after you've paid.",
    "If a code doesn't work, the page says why: it may be used up, over, or for another drop.",
    'Selling? Open Discount codes under your drop on the dashboard to make one.',
  ),
  earlyAccess: answer(
    'With early access, followers of a seller can buy 30 to 120 minutes before everyone else.',
    'Each follower gets an email with a personal link that works for one order.',
    'Some units are always reserved for everyone, and the drop page says how many.',
    'No email yet? Links go out shortly before early access opens.',
    'Selling? Choose Later as the start when you create the drop, and set early access there.',
  ),
  limitPerBuyer: answer(
    'One order can have up to 10 units, unless the drop page names a lower limit per buyer.',
    'Earlier orders with the same email address or the same card count too.',
    'We refund an order above the limit in full and email you the reason.',
    'Selling? Set the limit per buyer when you create the drop, or later with Edit on your dashboard.',
  ),
  sellerLimit: answer(
    `New sellers can take orders worth up to ${formatUsd(USUAL_CAP_CENTS).replace('.00', '')} a calendar month, and ship only within their own country.`,
    'Both end once you connect payouts at /payouts and our payment provider has checked your account.',
    'See how much of the limit you have used at /account/seller.',
    "Buying? If an order is above a seller's limit, you aren't charged. Order fewer units, or try again next month.",
  ),
  waitlist: answer(
    'Tap Remind me on the drop, then the link in our first email. We email you when it starts or returns.',
    'If a unit comes back while the drop is live, the first person in line has 10 minutes to buy it with the link in our email.',
    'If the drop has sizes or colors, you wait for the one you chose.',
    'Every email has a link to unsubscribe. See more answers at /find-order#help.',
  ),
  address: answer(
    'You can change the shipping address on your order page until the order ships.',
    FIND_PAGE,
    'The seller is notified right away, and for ten minutes you can undo the change.',
    'If the drop has shipping prices by country, the new address must be in the same group of countries.',
    'Has it shipped already? Message the seller from your order page.',
    'To change the email address of your account, open Settings.',
  ),
  shippingCost: answer(
    'Shipping is included in the price, unless the drop page names a surcharge for your country.',
    'Choose your country there, and the button shows the total before you pay. The surcharge is paid once per order.',
    "If your country isn't on the list, the seller doesn't ship there.",
    'Selling? Open “Where you ship” when you create the drop, and set up to three groups of countries with their own surcharge.',
  ),
  recap: answer(
    'When a run ends, you get its recap by email and on a page, linked under Past Drops on your dashboard.',
    "It says what sold, how much of each size or color, what you keep, when you're paid, and who is waiting for more.",
    'Before that, your dashboard says how many people are waiting.',
    'On the free plan, the recap shows what Pro would have saved you. On Pro, it shows where your buyers came from.',
  ),
  sellerDetails: answer(
    'Selling as a business? State its name, address and contact under Seller details at /account/seller.',
    'Buyers see them on the drop page, before they pay and on the receipt.',
    'The tax report is on the same page. Enter your VAT rates and download a month or a quarter.',
    "Prices include tax. We don't pay or report it for you, unless an order says “Tax, paid by us”.",
    'Buying? The drop page says who sells, if the seller has stated it.',
  ),
  start: answer(
    'A drop can start now or up to 30 days ahead. Choose Later when you create it.',
    'Until the start, its page shows the photos, the price, a countdown, Remind me and a calendar file.',
    'Use Edit on your dashboard to move the start. We then send the reminders again with the new time.',
    "Use Cancel start to cancel it. Nothing is sold then, and the drop no longer counts toward your plan's limit.",
    'Buying? Tap Remind me, and we email you before it starts.',
  ),
  security: answer(
    "I can't help with passwords, keys, tokens or anything inside the system.",
    'Nobody from our team will ever ask you for them.',
    'If you forgot your password, /forgot-password sends you a reset link.',
  ),
  contentPolicy: answer(
    "Weapons, drugs, alcohol and tobacco, adult content, counterfeits, stolen goods, gambling, hate and anything illegal can't be sold.",
    'A first violation removes the drop with a warning, a second means a 30-day suspension, and a third a permanent ban.',
    'Severe cases lead to a permanent ban right away.',
    'See the full list at /prohibited-content.',
  ),
  scanner: answer(
    'An automatic scanner reads the title, description, file names and links of every drop while it is created or edited.',
    'It publishes the drop, holds it for review by a person, or rejects it and names the category.',
    'Think the scanner got your drop wrong? See what to do at /prohibited-content.',
  ),
  account: answer(
    'An account is free. Sign up at /login with your name, a username and your email.',
    'You must be 18 or older, and each person may have one account.',
    'A username has 3-20 letters, digits or underscores, and can change once every 30 days.',
    'Settings also has your notifications, passkeys, devices, data export and “Delete my account”.',
    'With a passkey you sign in with your fingerprint, your face or a PIN.',
  ),
  creating: answer(
    'Open /create-drop. It takes about a minute, and you get one link to share.',
    'Add up to 5 photos, a name, a description, a price and a quantity, choose 24, 48 or 72 hours, and tap Create Drop.',
    'Selling sizes or colors? Open “Sizes, colors or other choices” and write each with its units, like S 5, M 10, L 5.',
    'Selling prints or other editions? Open “Edition” and number each unit.',
    'Want to make as many as are ordered? Choose an open edition. It closes forever at its end, and its sizes need only names.',
  ),
  plans: answer(
    `Free costs nothing: ${free.activeDrops} active drop, physical products, ${percent(free.feeBps)} platform fee.`,
    `Pro is ${planPriceText.pro}: ${pro.activeDrops} active drops, digital products and services too, custom links, advanced analytics and a ${percent(pro.feeBps)} fee.`,
    'Pro has a 14-day money-back guarantee, and you can cancel anytime.',
  ),
  payments: answer(
    `Sellers pay the platform fee, ${percent(free.feeBps)} on the free plan and ${percent(pro.feeBps)} on Pro, and Stripe's card fee.`,
    'Buyers pay by card, or with a wallet such as Apple Pay where they have one, and need no account.',
    'Shipping is included in the price, unless the drop page names a surcharge for your country.',
    'Bought something? Track it or request a refund on your order page, which you can find at /find-order.',
    'Physical orders are paid out when you mark them as shipped, or after 7 days (at most $500 before you ship if you promised a shipping day). The money reaches your bank in 2-7 business days.',
    'Connect payouts at /payouts. For business details and the tax report, open /account/seller.',
  ),
  sharing: answer(
    "Every drop has one link. Tap Share on the drop to open your phone's share sheet, or copy the link or a caption.",
    'The preview shows the photo, the price and when the drop ends.',
    'Pro sellers choose a custom link with a-z, 0-9 and hyphens, up to 50 characters.',
    'For a discount, open Discount codes under your drop on the dashboard, and share the link with the code in it.',
    'People who want your next drop leave their email on your profile. We send them at most three emails about each drop, and your dashboard lets you download the list.',
    'Follow a seller yourself? Every email has a link to unsubscribe.',
  ),
  duration: answer(
    'A drop is live for 24, 48 or 72 hours, from now or from a start up to 30 days ahead.',
    "The countdown is the same for everyone. Reloading the page doesn't restart it.",
    'When time runs out, we archive the drop. You can relaunch it 24 hours later with the same link and a fresh timer.',
    "An open edition can't be relaunched, because it closes forever.",
  ),
  analytics: answer(
    'Each drop counts its views (people, not reloads) and its purchases. Conversion is purchases divided by views.',
    'Revenue is what buyers paid: purchases times price, less what discount codes took off, plus surcharges for shipping.',
    'Pro sellers see Live Analytics on their own drops, refreshed every 10 seconds.',
    'When a run ends, its recap sums it up.',
  ),
  deleting: answer(
    'You can delete your own drop from your dashboard.',
    'A drop with orders is hidden, but its buyers keep access to their orders.',
    'If someone is checking out, end the drop first. Ended drops are under Past Drops.',
    'Administrators can remove any drop. With real payments, administrators need two-factor sign-in.',
  ),
  productTypes: answer(
    'You can sell physical products. With the Pro plan, you can also sell digital products and services.',
    'Physical: shipping is included in the price, or costs the surcharge that the drop page names for your country.',
    'Digital: buyers get a link or a file (pdf, zip, doc, docx, jpg, png, mp4 or mp3, up to 500MB) after paying, or a key for each unit.',
    'Service: buyers book it when they pay.',
    'Uploaded the wrong file? Replace it with Edit on your dashboard until the first sale.',
    'Waiting for an order? Its status and tracking are on your order page, which you can find at /find-order.',
  ),
  errors: answer(
    'Sorry about that. Please reload the page and try again.',
    "If a field is missing or wrong, the form shows it. If a payment failed, you weren't charged.",
    'Something wrong with an order? Message the seller from your order page, which you can find at /find-order.',
    `If the problem continues, write to ${support} and tell us what you did.`,
  ),
  general: answer(
    'I can help with buying, selling and your account. What would you like to know?',
    'Buying: orders, tracking, refunds, addresses, discount codes, reminders and early access.',
    'Selling: creating a drop, sharing your link, plans and fees, payouts, analytics and what you can sell.',
    'Looking for your order? Go to /find-order.',
  ),
} as const

export type HelpTopic = keyof typeof helpAnswers
