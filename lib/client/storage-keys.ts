/** The keys of everything that we store in the browser. */
export const storageKeys = {
  /** The drop that was just created, for /success (docs/product.md#publishing). */
  createdDrop: 'lastcall:created-drop',
  /** The texts of an unpublished drop; its pictures are in IndexedDB under the id stored here. */
  createDraft: 'lastcall:create-draft',
  /** What was typed to create an account, without the password, until the account is there. */
  signupDraft: 'lastcall:signup-draft',
  /** What a buyer typed on the embedded checkout, without card data. */
  buyerDetails: 'lastcall:buyer-details',
  /** Whether the drop page was opened from /success (docs/product.md#success-page). */
  cameFromSuccess: 'lastcall:came-from-success',
  /** Whether the hint to leave another app's browser was dismissed in this tab. */
  inAppHint: 'lastcall:in-app-hint',
  /** The drop and the payment page of the checkout that this tab has opened. */
  openCheckout: 'lastcall:open-checkout',
} as const
