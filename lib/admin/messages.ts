import { openTexts } from '@/lib/drops/editions/open-messages'
import { errorsFrom, type ErrorTable } from '@/lib/kernel/app-error'
import { brand } from '@/lib/kernel/brand'
import { formatCount } from '@/lib/kernel/format-count'
import { planLabel } from '@/lib/plans/rules'

/** The texts of the admin panel (docs/product.md#admin-panel). */
export const adminTexts = {
  searchBusy: 'Many searches are running right now. Please try again in a few seconds.',
  loading: 'Loading Admin Panel...',
  deniedTitle: 'Access Denied',
  denied: "You don't have permission to access the admin panel.",
  title: 'Admin Panel',
  searchUsers: 'Search users...',
  searchDrops: 'Search drops...',
  killSwitchTitle: 'Emergency Kill Switch',
  killSwitch: 'Disable platform for all users except admins',
  active: 'Platform Active',
  disabled: 'Platform Disabled',
  disabledNotice:
    'All users except admins are blocked. Only the admin can see the interface. Paid orders, files and refunds still work.',
  nothingToChange: "There's nothing to change in this request.",
  hoursInvalid: 'Hours must be a whole number from 1 to 72.',
  sinceInvalid: 'Enter a start date and time.',
  includeEnded:
    'They come back with the same extra hours. A drop that someone ended early stays ended, and so does a numbered drop or an open edition.',
  outageOver: 'Countdowns kept running during the pause. Drops that ended meanwhile come back, too. ',
  extendAll: "Their pages show the new end right away. You can't undo this for all drops together.",
  restoreHint:
    'How long to put the drop back on sale. If it was deleted more than 30 days ago, its waitlist is gone, and people have to join again.',
} as const

const adminErrors = {
  DROP_NOT_FOUND: { status: 404, text: "This drop doesn't exist." },
  EDITION_CLOSED: {
    status: 409,
    text: 'This run of a numbered drop is over, and its numbers are final. The seller can relaunch the drop with new numbers.',
    field: 'action',
  },
  KEYS_TAKEN: {
    status: 409,
    text: 'The seller has downloaded the unused keys of this run, so they may be used already. Only the seller can relaunch the drop.',
    field: 'action',
  },
  OPEN_EDITION_END: { status: 409, text: openTexts.adminExtend, field: 'action' },
  OPEN_EDITION_CLOSED: { status: 409, text: openTexts.adminReopen, field: 'action' },
  DROP_OVER: { status: 409, text: 'This drop has ended. Restore it with a number of hours instead.', field: 'action' },
  SELLER_GONE: { status: 409, text: "This drop's seller account was deleted.", field: 'action' },
  HOURS_REQUIRED: { status: 400, text: adminTexts.hoursInvalid, field: 'hours' },
  EVENT_NOT_FOUND: { status: 404, text: "This event doesn't exist." },
  EVENT_GONE: { status: 409, text: "Stripe no longer has this event, so we can't replay it." },
} as const satisfies ErrorTable

export const adminError = /* @__PURE__ */ errorsFrom(adminErrors)

/** The toasts of the admin panel; each stays for three seconds (docs/product.md#admin-panel). */
export const adminToasts = {
  userUpdated: { title: 'User updated successfully' },
  userFailed: { title: 'Failed to update user' },
  userDeleted: { title: 'User deleted' },
  userDeleteFailed: { title: 'Failed to delete user' },
  dropUpdated: { title: 'Drop updated successfully' },
  dropFailed: { title: 'Failed to update drop' },
  dropDeleted: { title: 'Drop deleted' },
  dropDeleteFailed: { title: 'Failed to delete drop' },
  platformDisabled: { title: 'Platform disabled successfully' },
  platformEnabled: { title: 'Platform enabled successfully' },
  toggleFailed: 'Failed to toggle platform status',
} as const

/** The labels of the actions in the audit log. */
export const auditNames: Partial<Record<string, string>> = {
  'user.update': 'Changed an account',
  'user.plan': 'Changed a plan',
  'user.suspend': 'Suspended an account',
  'demo.close': 'Closed a demo account',
  'user.unsuspend': 'Lifted a suspension',
  'user.hold-payouts': 'Put payouts on hold',
  'user.release-payouts': 'Released payouts',
  'user.delete': 'Deleted an account',
  'user.view': 'Viewed as this seller',
  'user.details': 'Changed their seller details',
  'user.payouts-undone': 'Removed a new payout account',
  'plan.pro': 'Became Pro',
  'plan.free': 'Moved to the free plan',
  'drop.update': 'Changed a drop',
  'drop.extend': 'Extended a drop',
  'drop.end': 'Ended a drop',
  'drop.archive': 'Archived a drop',
  'drop.restore': 'Restored a drop',
  'drop.delete': 'Deleted a drop',
  'drop.link': 'Replaced the link or file of a digital drop',
  'drop.keys': 'Downloaded unused keys',
  'platform.pause': 'Paused the platform',
  'platform.resume': 'Resumed the platform',
  'platform.extend': 'Extended drops after an outage',
  'export.users': 'Exported all users',
  'export.drops': 'Exported all drops',
  'review.approve': 'Approved a drop',
  'review.reject': 'Rejected a drop in review',
  'profile.clear': 'Removed the text of a profile',
  'profile.keep': 'Kept a reported profile',
  'appeal.lift': 'Granted an appeal',
  'appeal.keep': 'Denied an appeal',
  'webhook.replay': 'Replayed a webhook event',
  'payout.byhand': 'Recorded a manual payout',
  'payout.repaid': 'Recorded a repayment',
  'refund.byhand': 'Recorded a manual refund',
}

/** Returns the title of the toast after live drops were extended: "We extended 12 drops by 3 hours". */
export function extendedText(drops: number, hours: number): string {
  const extended = drops === 1 ? '1 drop' : `${formatCount(drops)} drops`
  return `We extended ${extended} by ${hours === 1 ? '1 hour' : `${hours} hours`}`
}

/** Says how the platform is: "All well" or "3 things need a look". */
export function healthText(troubles: number): string {
  if (troubles === 0) return 'All well'
  return troubles === 1 ? '1 thing needs a look' : `${troubles} things need a look`
}

/**
 * Returns a column's name in plain words, such as "active" for "isActive" or "suspended until" for "suspendedUntil".
 */
export function auditFieldName(name: string): string {
  return name
    .replace(/^is(?=[A-Z])/, '')
    .replace(/At$/, '')
    .replace(/Id$/, ' number')
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase()
}

/** The words for who acted, when the account is gone or no person acted. */
const actorNames: Partial<Record<string, string>> = {
  admin: 'An administrator',
  user: 'A seller',
  visitor: 'A visitor',
  system: brand.name,
  stripe: 'Stripe',
}

/** Names in the audit log who acted: "@ada", "#7" without a username, or "An administrator" without a known account. */
export function auditActorName(entry: { actorName: string | null; actorId: number | null; actorKind: string }): string {
  if (entry.actorName) return `@${entry.actorName}`
  return entry.actorId ? `#${entry.actorId}` : (actorNames[entry.actorKind] ?? entry.actorKind)
}

/** Returns a value of the audit log in words, such as "Pro Plan" for the plan "pro". */
export function auditValueText(name: string, value: string | number): string {
  return name === 'plan' && (value === 'free' || value === 'pro') ? planLabel[value] : String(value)
}
