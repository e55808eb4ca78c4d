import 'server-only'
import { brand } from '@/lib/kernel/brand'

/**
 * `title` and `text` are plain text and are escaped here. The text may be empty. `actions` (the links or form below
 * the text) and `script` (a whole script element) are HTML and are inserted as they are, so the caller must escape what
 * they contain.
 */
type PlainPage = {
  title: string
  text: string
  actions: string
  script?: string
  /** More rules of CSS, which are inserted as they are. */
  style?: string
  /** Whether the page ends with links to a buyer's orders and to help. They need a connection. */
  hasHelp?: boolean
}

const HELP = '\n<footer><a href="/find-order">Find my order</a> <a href="/find-order#help">Help</a></footer>'

/** Escapes text for use in HTML or in an attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Builds an HTML document without Next. It is complete in itself: it loads no font, style sheet or script from
 * elsewhere. The colors are those of app/globals.css and have to be changed with them.
 */
export function plainPage({ title, text, actions, script = '', style = '', hasHelp = true }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)} – ${brand.name}</title>
<style>
:root { color-scheme: light dark; --paper: #fbf9f5; --ink: #17150f; --muted: #6b665c; --line: #e7e2d8; --ember: #c93a05;
  --bad: #b42318 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #121110; --ink: #f4f0e8; --muted: #a39c8f; --line: #2e2a27; --ember: #ff7a3d;
    --bad: #ff6b5e }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.6 ui-sans-serif, system-ui, sans-serif;
  overflow-wrap: anywhere }
main { max-width: 28rem; margin: 0 auto; padding: 6rem 1.25rem }
.fuse { height: 6px; border-radius: 3px; background: var(--line); overflow: hidden; margin-bottom: 2rem }
.fuse div { width: 38%; height: 100%; border-radius: 3px; background: var(--ember) }
h1 { font-size: 2.25rem; line-height: 1.1; letter-spacing: -0.02em; margin: 0 0 1rem }
p { color: var(--muted); margin: 0 0 1.5rem }
h1 + nav, h1 + form { margin-top: 1.75rem }
form { display: grid; gap: 0.75rem; margin: 0 0 1.5rem }
form > button { justify-content: center }
label { font-weight: 600 }
textarea, input { padding: 0.75rem; border: 1px solid var(--muted); border-radius: 10px; background: none; color: inherit;
  font: inherit; box-sizing: border-box }
nav { display: flex; flex-wrap: wrap; gap: 0.75rem }
a, button { display: inline-flex; align-items: center; min-height: 48px; padding: 0 1.25rem; border: 1px solid var(--ink);
  border-radius: 10px; background: var(--ink); color: var(--paper); font: inherit; font-weight: 600; text-decoration: none;
  box-sizing: border-box; cursor: pointer }
a + a, form + nav a { background: none; color: var(--ink); border-color: var(--muted) }
footer { display: flex; flex-wrap: wrap; margin-top: 2.5rem; padding-top: 0.75rem; border-top: 1px solid var(--line) }
footer a, footer a + a { min-height: 44px; padding: 0 0.5rem; border: 0; background: none; color: var(--muted);
  font-size: 0.875rem; font-weight: 400 }
:focus-visible { outline: 2px solid var(--ember); outline-offset: 2px }
${style}</style>
</head>
<body>
<main>
<div class="fuse" aria-hidden="true"><div></div></div>
<h1>${escapeHtml(title)}</h1>
${text ? `<p>${escapeHtml(text)}</p>\n` : ''}${actions}${hasHelp ? HELP : ''}
</main>${script}
</body>
</html>
`
}
