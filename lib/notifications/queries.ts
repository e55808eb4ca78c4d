import 'server-only'
import type { Database } from '@/lib/infra/db'
import type { MailContent } from './compose-mail'
import { mailHtml } from './mail-html'

export type MailboxEntry = { to: string; subject: string; text: string; html: string; createdAt: Date }

type OutboxRow = Omit<MailboxEntry, 'html'> & { html: string | null; content: MailContent | null }

/** Returns the 100 newest emails in the outbox, newest first. With `to`, only emails to this address are returned. */
export async function listMail({ sql }: Database, to?: string): Promise<MailboxEntry[]> {
  const rows = await sql<OutboxRow>(
    'list-mail',
    `SELECT "to", "subject", "text", "html", "content", "createdAt" FROM "OutboxMail"
      WHERE "to" <> '' AND (:to::text IS NULL OR "to" = lower(:to)) ORDER BY "createdAt" DESC, "id" DESC LIMIT 100`,
    { to: to?.replaceAll('\u0000', '').trim() ?? null },
  )
  return Promise.all(
    rows.map(async ({ content, ...mail }) => ({ ...mail, html: await mailHtml({ html: mail.html, content }) })),
  )
}
