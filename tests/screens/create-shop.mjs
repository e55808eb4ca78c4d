/** @typedef {ReturnType<typeof createShop>} Shop */

const CARD = { cardNumber: '4242 4242 4242 4242' }

/**
 * Buys in the sandbox without a browser, for the screens that come after a payment.
 * @param {string} url the address of the application
 */
export function createShop(url) {
  /** @returns {Promise<string>} the address of the card page */
  const openCheckout = async () => {
    const drop = await (await fetch(`${url}/api/drop/low-sun`)).json()
    const answer = await fetch(`${url}/api/checkout/create-session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ dropId: drop.id, productType: drop.productType }),
    })
    return (await answer.json()).url
  }
  const pay = async (card = CARD) => {
    const answer = await fetch(`${await openCheckout()}/pay`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...card, email: 'bea@example.com', name: 'Bea Buyer' }),
    })
    const success = new URL(answer.headers.get('location') ?? '')
    const page = await (await fetch(success)).text()
    const [order] = /\/o\/[A-Za-z0-9]{43}/.exec(page) ?? []
    if (!order) throw new Error('the success page has no link to the order')
    return { success: success.pathname + success.search, order }
  }
  /** @param {string} state */
  const findDrop = async (state) => {
    for (let id = 1; id < 50; id += 1) {
      const answer = await fetch(`${url}/api/drop/${id}`)
      if (answer.ok && (await answer.json()).state === state) return `/drop/${id}`
    }
    throw new Error(`no drop is ${state}`)
  }
  /** @returns {Promise<number>} */
  const dropId = async () => (await (await fetch(`${url}/api/drop/low-sun`)).json()).id
  const dispute = async () => {
    const { order } = await pay({ cardNumber: '4000 0000 0000 0259' })
    // The stand-in for Stripe reports the dispute a moment after the payment.
    while (!(await (await fetch(url + order)).text()).includes('Disputed'))
      await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const ask = async () => {
    const { order } = await pay()
    const body = new URLSearchParams({ about: 'refund', text: 'It looks different from the pictures.' })
    await fetch(`${url}${order}/write`, { method: 'POST', body, redirect: 'manual' })
    return order
  }
  return {
    openCheckout,
    findDrop,
    dropId,
    /** One paid order for all screens: the success page, and the order page. */
    paid: once(pay),
    /** One paid order whose buyer disputes it. */
    disputed: once(dispute),
    /** One paid order whose buyer asks for a refund: its page. */
    asked: once(ask),
  }
}

/**
 * @template T
 * @param {() => Promise<T>} run
 * @returns {() => Promise<T>} a function that calls `run` the first time, and returns the same result afterwards
 */
function once(run) {
  /** @type {Promise<T> | undefined} */
  let result
  return () => (result ??= run())
}
