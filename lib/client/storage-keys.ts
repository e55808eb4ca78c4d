/** Everything we keep in the browser, by name. */
export const storageKeys = {
  /** The drop just created, for /success (SPEC §4, Create flow). */
  createdDrop: 'lastcall:created-drop',
  /** The texts of a drop that is not published yet; its pictures are in IndexedDB under the id in here. */
  createDraft: 'lastcall:create-draft',
  /** That the drop page was opened from /success (SPEC §2, Preview Drop). */
  cameFromSuccess: 'lastcall:came-from-success',
  /** Whether the hint to leave another app's browser was dismissed in this tab. */
  inAppHint: 'lastcall:in-app-hint',
} as const
