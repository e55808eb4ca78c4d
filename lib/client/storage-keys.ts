/** The names of all data that we keep in the storage of the browser. */
export const storageKeys = {
  /** The drop that was just created, which /success shows (docs/product.md#publishing). */
  createdDrop: 'lastcall:created-drop',
  /** The texts of an unpublished drop. Its pictures are in IndexedDB, under the id that is stored here. */
  createDraft: 'lastcall:create-draft',
  /** What a visitor typed to sign up, without the password, until the account is created. */
  signupDraft: 'lastcall:signup-draft',
  /** What a buyer typed in the embedded checkout, without card data. */
  buyerDetails: 'lastcall:buyer-details',
  /** Whether the drop page was opened from /success (docs/product.md#success-page). */
  cameFromSuccess: 'lastcall:came-from-success',
  /** Whether the hint to leave another app's browser was dismissed in this tab. */
  inAppHint: 'lastcall:in-app-hint',
  /** The drop and the success page of a payment whose response was lost. */
  unclearPayment: 'lastcall:unclear-payment',
  /** The drop, the units and the payment page of the checkout that this browser has opened. */
  openCheckout: 'lastcall:open-checkout',
  /** The drop, the page and the end of the claim that this browser has opened. */
  openClaim: 'lastcall:open-claim',
  /** The filters of the admin panel's lists that an administrator has saved. */
  adminFilters: 'lastcall:admin-filters',
  /** The carrier of the parcel that was last marked as shipped. */
  lastCarrier: 'lastcall:last-carrier',
  /** The database of the pictures of an unpublished drop, and the name of its object store. */
  draftPictures: ['lastcall-create', 'pictures'],
} as const
