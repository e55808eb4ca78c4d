import { z } from 'zod/mini'
import type { PublicProfileView } from './view'

/** The schema of this folder's view, for the OpenAPI document (docs/contract.md#document). */
export const publicProfileView = z.object({
  about: z.string(),
  links: z.array(z.string()),
}) satisfies z.ZodMiniType<PublicProfileView>
