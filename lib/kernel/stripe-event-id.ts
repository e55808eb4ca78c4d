/** What an event of Stripe's may be called, where it comes in and where it is replayed: one short word. */
export const STRIPE_EVENT_ID = /^[\w.:-]{1,255}$/
