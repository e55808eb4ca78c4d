/** @typedef {ReturnType<typeof createShop>} Shop */

const CARD = { cardNumber: '4242 4242 4242 4242' }

/**
 * Returns functions that find and buy drops in the sandbox without a browser, for screens that need a checkout, an
 * order or a drop in a certain state.
 * @param {string} url the URL of the application
 */
export function createShop(url) {
  let checkouts = 0
  /** @returns {Promise<string>} the URL of the payment page */
  const openCheckout = async () => {
    const drop = await (await fetch(`${url}/api/drop/low-sun`)).json()
    const answer = await fetch(`${url}/api/checkout/create-session`, {
      method: 'POST',
      // Each checkout comes from a network of its own, because one network may have only a few unpaid ones.
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${(checkouts += 1)}` },
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
    /** Returns the paths of the success page and the order page of a paid order. Every call returns the same order. */
    paid: once(pay),
    /** Resolves once there is a paid order whose buyer disputes the payment. */
    disputed: once(dispute),
    /** Returns the path of the order page of a paid order whose buyer asks for a refund. */
    asked: once(ask),
  }
}

/**
 * @template T
 * @param {() => Promise<T>} run
 * @returns {() => Promise<T>} a function that calls `run` the first time, and returns the same result every time
 */
function once(run) {
  /** @type {Promise<T> | undefined} */
  let result
  return () => (result ??= run())
}
