/** The pages that have the form. */
export const followSources = ['profile', 'drop', 'order'] as const
export type FollowSource = (typeof followSources)[number]

/**
 * The expected rate of emails with personal links, and how long before early access the last one should be sent. Both
 * are the values used for reminders (docs/product.md#scheduled-start): ten minutes, plus five for emails that have to
 * be sent again.
 */
export const LINKS_PER_SECOND = 10
export const LINKS_AHEAD_SECONDS = 15 * 60

/** How long a request can be confirmed. After that it is deleted. */
export const CONFIRM_WITHIN_DAYS = 7

/** The pages on which visitors follow and leave a seller, named by the last part of their URL. */
export const followSteps = ['sent', 'confirm', 'done', 'stop', 'stopped'] as const
