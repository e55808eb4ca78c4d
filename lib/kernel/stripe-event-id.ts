/** The format of a Stripe event's id, checked when an event is received and when it is replayed. */
export const STRIPE_EVENT_ID = /^[\w.:-]{1,255}$/
