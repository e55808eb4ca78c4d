import { z } from 'zod/mini'

/**
 * The body is optional (docs/contract.md#calls-of-administrators). It names the wanted state, so that two
 * administrators who act at the same moment do not undo each other's change (docs/product.md#kill-switch).
 */
export const togglePlatformSchema = z.strictObject({ isActive: z.optional(z.boolean()) })
export type TogglePlatformInput = z.infer<typeof togglePlatformSchema>
