import { z } from 'zod/mini'
import type { StartedUpload } from './view'

/** The schemas of what leaves this domain, for the document of the API (docs/contract.md#document). */

export const startedUpload = z.object({
  key: z.string(),
  url: z.string(),
  fileName: z.string(),
  contentType: z.string(),
}) satisfies z.ZodMiniType<StartedUpload>
