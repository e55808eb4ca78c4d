import 'server-only'
import type { z } from 'zod/mini'
import type { AppError } from '@/lib/kernel/app-error'
import { refusedPage } from '@/lib/platform/messages'
import { type PlainField, plainField } from './plain-field'
import { escapeHtml } from './plain-page'
import { homeLink, plainRefusal } from './plain-refusal'

type Form = {
  /** The title of the page. */
  title: string
  /** The page to which the form is posted. */
  action: string
  fields: readonly PlainField[]
  button: string
  /** HTML between the fields and the button. The caller must escape what it contains. */
  terms?: string
}

/** Returns the text of the first problem of each field. The error itself names only the first problem. */
export function problemsByField(error: AppError, schema: z.ZodMiniType, typed: unknown): Map<string, string> {
  const problems = new Map<string, string>()
  if (error.field) problems.set(error.field, error.message)
  for (const { path, message } of schema.safeParse(typed).error?.issues ?? []) {
    const name = String(path[0])
    if (!problems.has(name)) problems.set(name, message)
  }
  return problems
}

/**
 * Returns a page that shows a refused form of a browser without JavaScript again, with the values of its fields. Each
 * problem is at its field. If no field has a problem, the error's text is above the form.
 */
export function plainFormAgain(error: AppError, problems: ReadonlyMap<string, string>, form: Form): Response {
  const first = form.fields.find(({ name }) => problems.has(name))?.name
  const fields = form.fields.map((field) =>
    plainField({ ...field, problem: problems.get(field.name), isFocused: field.name === first }),
  )
  return plainRefusal(error, {
    title: form.title,
    text: first === undefined ? error.message : refusedPage.markedFields,
    actions: `<form class="plain-form" method="post" action="${escapeHtml(form.action)}">
${fields.join('\n')}
${form.terms ?? ''}<button>${escapeHtml(form.button)}</button></form>${homeLink}`,
  })
}
