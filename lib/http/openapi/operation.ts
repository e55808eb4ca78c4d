import 'server-only'
import type { z } from 'zod/mini'
import type { Who } from '../guard'

/** Who may make a call: as in route(), or a program that proves itself with a secret or a signature. */
export type Caller = Who | 'cronSecret' | 'stripeSignature' | 'uploadThingSignature'

export type Body = {
  schema: z.ZodMiniType
  /** The content type; JSON when it is not given. */
  type?: 'application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data'
  /** The fields that are files, in a multipart form. */
  files?: string[]
}

export type Answer = {
  text: string
  schema?: z.ZodMiniType
  /** The content type of an answer that is not JSON. */
  type?: string
  /** Headers that only this answer has, with what they say. */
  headers?: Record<string, string>
}

/** One call as the document describes it. */
export type Operation = {
  summary: string
  who: Caller
  /** Stays open while the platform is paused. */
  isAlwaysOpen?: boolean
  /** The answer is the same for everybody and may be kept for a second. */
  isShared?: boolean
  isLimited?: boolean
  query?: z.ZodMiniType
  /** More than one: the call takes either. */
  body?: Body | Body[]
  isBodyOptional?: boolean
  answers: Record<number, Answer>
  /** Statuses of refusals besides those that follow from the rest (docs/contract.md#errors). */
  refusals?: number[]
}

export type Method = 'get' | 'post' | 'patch' | 'delete'

/** Calls by path, as `/api/drop/{identifier}`, and method. */
export type Operations = Record<string, Partial<Record<Method, Operation>>>
