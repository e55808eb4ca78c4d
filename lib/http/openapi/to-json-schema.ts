import 'server-only'
import { z } from 'zod/mini'
import { userView } from '@/lib/accounts/view-schema'
import { adminDropView, adminUserView } from '@/lib/admin/view-schema'
import { dropView, sellerDropView } from '@/lib/drops/view-schema'
import { planView } from '@/lib/subscriptions/view-schema'
import { messageBody } from './visitor-calls'

/** A JSON object in the OpenAPI document. */
export type Json = { [name: string]: unknown }

/** The body of an error response in JSON (docs/contract.md#errors). */
export const errorBody = z.object({
  error: z.string(),
  message: z.string(),
  code: z.string().check(z.regex(/^[A-Z_]+$/)),
  field: z.optional(z.string()),
  /** A token that says how much work to do first (docs/contract.md#proof-of-work). */
  work: z.optional(z.string()),
  /** The path of the page that shows the outcome of a payment. */
  url: z.optional(z.string()),
  requestId: z.string().check(z.regex(/^req_/)),
})

/** The schemas that occur in the responses of several calls, each with its name in the OpenAPI document. */
const named = z.registry<{ id: string }>()
named.add(userView, { id: 'User' })
named.add(dropView, { id: 'Drop' })
named.add(sellerDropView, { id: 'SellerDrop' })
named.add(adminUserView, { id: 'AdminUser' })
named.add(adminDropView, { id: 'AdminDrop' })
named.add(planView, { id: 'Plan' })
named.add(messageBody, { id: 'Message' })
named.add(errorBody, { id: 'Error' })

/**
 * Converts a schema to JSON Schema. Named schemas are added to `schemas`, which become the components of the document.
 * In requests a strict schema allows no unknown fields. In responses every schema allows them, because new fields may
 * be added to a response at any time.
 */
export function toJsonSchema(schema: z.ZodMiniType, io: 'input' | 'output', schemas: Record<string, Json>): Json {
  const {
    $schema: _,
    $defs = {},
    ...json
  } = z.toJSONSchema(schema, {
    io,
    metadata: named,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      // The bounds of JavaScript's safe integers say nothing about the field.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      // The name of the format is enough; its pattern can be a page long.
      if (jsonSchema.format) delete jsonSchema.pattern
    },
  }) as Json & { $defs?: Record<string, Json> }
  for (const [name, definition] of Object.entries($defs)) schemas[name] ??= withComponents(definition)
  return withComponents(json)
}

function withComponents(json: Json): Json {
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/')) as Json
}
