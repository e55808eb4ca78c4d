import 'server-only'
import { html } from 'hono/html'
import { layout, type Page } from './layout'

type Notice = { title: string; text: string; link?: { href: string; label: string } | null }

/** Returns a page with a title, one message and at most one link. */
export function noticePage({ title, text, link }: Notice): Page {
  const button = link ? html`<a class="button primary" href="${link.href}">${link.label}</a>` : ''
  return layout(
    title,
    html`<div class="card stack center">
      <h1>${title}</h1>
      <p class="muted">${text}</p>
      ${button}
    </div>`,
  )
}
