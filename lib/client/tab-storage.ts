import { safeStorage } from './safe-storage'

/** The storage of one tab, for what a reload should not lose. */
export const tabStorage = safeStorage(() => sessionStorage)
