import { safeStorage } from './safe-storage'

/** The storage of all tabs of this browser, for what another tab should know, too. */
export const browserStorage = safeStorage(() => localStorage)
