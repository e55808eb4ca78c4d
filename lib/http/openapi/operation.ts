import 'server-only'
import type { z } from 'zod/mini'
import type { Who } from '../guard'

/**
 * Who may make a call: one of the callers of route(), or a program that identifies itself with a secret or a signature.
 */
export type Caller = Who | 'cronSecret' | 'stripeSignature' | 'uploadThingSignature'

export type Body = {
  schema: z.ZodMiniType
  /** The content type. JSON when it is not set. */
  type?: 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data'
  /** The fields of a multipart form that contain files. */
  files?: string[]
}

export type Answer = {
  text: string
  schema?: z.ZodMiniType
  /** The content type of a response that is not JSON. */
  type?: string
  /** Headers that only this response has, with their descriptions. */
  headers?: Record<string, string>
}

/** One call as the document describes it. */
export type Operation = {
  summary: string
  who: Caller
  /** Whether the call stays open while the platform is paused. */
  isAlwaysOpen?: boolean
  /** Whether the response is the same for everyone and may be cached for a second. */
  isShared?: boolean
  isLimited?: boolean
  query?: z.ZodMiniType
  /** When there are several, the call accepts any of them. */
  body?: Body | Body[]
  isBodyOptional?: boolean
  answers: Record<number, Answer>
  /** Statuses of refusals, besides those that follow from the other fields (docs/contract.md#errors). */
  refusals?: number[]
}

export type Method = 'get' | 'post' | 'patch' | 'delete'

/** Calls by path, such as `/api/drop/{identifier}`, and by method. */
export type Operations = Record<string, Partial<Record<Method, Operation>>>
