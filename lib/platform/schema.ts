import { z } from 'zod/mini'

/** SPEC §7 has no body; with one, two admins cannot flip the switch back for each other (DECISIONS 38). */
export const togglePlatformSchema = z.strictObject({ isActive: z.optional(z.boolean()) })
export type TogglePlatformInput = z.infer<typeof togglePlatformSchema>
