import { z } from 'zod/mini'
import type { KeptPhoto, StartedUpload } from './view'

/** The schemas of this folder's views, for the OpenAPI document (docs/contract.md#document). */

export const startedUpload = z.object({
  key: z.string(),
  url: z.string(),
  fileName: z.string(),
  contentType: z.string(),
}) satisfies z.ZodMiniType<StartedUpload>

export const keptPhoto = z.object({ key: z.string() }) satisfies z.ZodMiniType<KeptPhoto>
