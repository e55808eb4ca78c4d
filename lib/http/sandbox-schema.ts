import 'server-only'
import { z } from 'zod/mini'

/** The bodies of the calls that control the stand-in for Stripe (docs/contract.md#sandbox). */

export const advanceSchema = z.strictObject({
  subscription: z.string().check(z.regex(/^sub_[A-Za-z0-9]{1,60}$/)),
  days: z.number().check(z.minimum(0), z.maximum(800)),
})

const delayMs = z._default(z.int().check(z.minimum(0), z.maximum(120_000)), 0)

const apiFault = z.strictObject({
  kind: z.enum(['slow', 'reset-after-commit', 'rate-limit', 'error', 'error-after-commit']),
  path: z._default(z.string().check(z.regex(/^\/v1\/[a-z_/]*$/)), '/v1/'),
  remaining: z._default(z.nullable(z.int().check(z.minimum(1), z.maximum(10_000))), null),
  delayMs,
})

const disorder = z.strictObject({
  isTwice: z._default(z.boolean(), false),
  isShuffled: z._default(z.boolean(), false),
  delayMs,
})

export const faultsSchema = z.strictObject({
  api: z._default(z.nullable(apiFault), null),
  deliveries: z._default(z.nullable(disorder), null),
  limits: z._default(z.boolean(), false),
  seed: z.optional(z.nullable(z.int().check(z.minimum(0), z.maximum(2_147_483_647)))),
})
