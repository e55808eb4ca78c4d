import 'server-only'

// SQL: the keys of the emails about the start of the current run of the drop `d`, to the person of the entry `e` of its
// waitlist, as startMail(), canceledMail() and relaunchMail() in lib/waitlist/mails.ts write them.
const keyOf = (kind: string) =>
  `concat('${kind}:', e."id", ':', d."run", ':', (extract(epoch FROM d."startedAt") * 1000)::bigint)`

/** SQL about the emails of a drop's start. */
export const startMailSql = {
  reminder: keyOf('waitlist-start'),
  cancellation: keyOf('waitlist-canceled'),
  relaunch: `concat('waitlist-relaunch:', e."id", ':', d."run")`,
  /** Whether no attempt to send the email `m` is under way or has succeeded, so that it can be recalled. */
  isUnsent: `(m."sentAt" IS NULL AND (m."attempts" = 0 OR m."lastError" IS NOT NULL))`,
} as const
