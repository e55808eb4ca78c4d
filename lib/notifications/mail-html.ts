import 'server-only'
import type { MailContent } from './compose-mail'

/**
 * A rendered template. `parts` are the HTML around the texts, and `texts` are the numbers of the texts between the
 * parts.
 */
type Skeleton = { parts: string[]; texts: number[] }

/** The place of a text in a template: its number between two private-use characters of Unicode. */
const PLACE = /\uE000(\d+)\uE001/

/**
 * The rendered templates by the shape of an email. There are about as many shapes as kinds of email. The number of
 * templates is limited, because an email with a list has another shape for each length of the list.
 */
const skeletons = new Map<string, Promise<Skeleton>>()
const MAX_SKELETONS = 100

/**
 * The longest preview in characters, which is more than a phone shows. Whole code points are counted, because half of
 * an emoji would be shown as a broken character.
 */
const PREVIEW_LENGTH = 200

/**
 * Returns the HTML of an email in the outbox: the stored HTML if the email was sent, and otherwise HTML that is made
 * now. The template is rendered once for each shape of email, and the texts of each email are filled in. Rendering it
 * for every email would cost as much processor time as all statements of a purchase (ADR 0014).
 */
export async function mailHtml({
  html,
  content,
}: {
  html: string | null
  content: MailContent | null
}): Promise<string> {
  if (html !== null || !content) return html ?? ''
  const { shape, texts, copy } = takeTexts(content)
  const { parts, texts: places } = await skeletonOf(shape, copy)
  return parts
    .map((part, index) => part + (index < places.length ? escapeText(texts[places[index]!] ?? '') : ''))
    .join('')
}

function skeletonOf(shape: string, copy: MailContent): Promise<Skeleton> {
  const known = skeletons.get(shape)
  if (known) return known
  const made = renderSkeleton(copy)
  if (skeletons.size >= MAX_SKELETONS) skeletons.clear()
  skeletons.set(shape, made)
  made.catch(() => skeletons.delete(shape))
  return made
}

async function renderSkeleton(copy: MailContent): Promise<Skeleton> {
  // React and its email components take 80 MB, so they are loaded with the first email.
  const { renderTemplate } = await import('./render-template')
  const pieces = (await renderTemplate(copy)).split(PLACE)
  return {
    parts: pieces.filter((_piece, index) => index % 2 === 0),
    texts: pieces.filter((_piece, index) => index % 2 === 1).map(Number),
  }
}

/**
 * Takes the texts out of an email. `copy` is the email with a place instead of each text. `shape` identifies the
 * template: it contains the numbers of paragraphs and facts, and which optional parts exist.
 */
function takeTexts(content: MailContent): { shape: string; texts: string[]; copy: MailContent } {
  const texts: string[] = []
  const place = (text: string) => `\uE000${texts.push(text) - 1}\uE001`
  const { preview, heading, paragraphs, facts, button, footer, support, helpUrl, photo, unsubscribe } = content
  const copy: MailContent = {
    preview: place([...preview].slice(0, PREVIEW_LENGTH).join('')),
    heading: place(heading),
    paragraphs: paragraphs.map(place),
    ...(facts ? { facts: facts.map(([label, value]) => [place(label), place(value)]) } : {}),
    ...(button ? { button: { label: place(button.label), url: place(button.url) } } : {}),
    ...(footer ? { footer: place(footer) } : {}),
    ...(support ? { support: place(support) } : {}),
    ...(helpUrl ? { helpUrl: place(helpUrl) } : {}),
    ...(photo ? { photo: { url: place(photo.url), alt: place(photo.alt) } } : {}),
    ...(unsubscribe ? { unsubscribe: { ...unsubscribe, pageUrl: place(unsubscribe.pageUrl) } } : {}),
  }
  const parts = [facts?.length ?? -1, !!button, !!footer, !!support, !!helpUrl, !!photo, !!unsubscribe]
  return { shape: [paragraphs.length, ...parts].join(), texts, copy }
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
  '\n': '<br/>',
}

/** Escapes a string as React does, and turns line breaks into `<br/>`. */
const escapeText = (text: string) => text.replace(/[&<>"'\n]/g, (sign) => ENTITIES[sign] ?? sign)
