import 'server-only'

/**
 * SQL: whether an email of "OutboxMail" is still going to be sent. An email is given up after three days, or when it
 * expires. Its row stays for a while and must not count as waiting.
 */
export const IS_TO_SEND = `"sentAt" IS NULL AND "createdAt" > now() - interval '3 days'
  AND ("expiresAt" IS NULL OR "expiresAt" > now())`
