const CARD = { cardNumber: '4242 4242 4242 4242' }

/** Buys in the sandbox without a browser, for the screens that come after paying. */
export function createShop(url) {
  let paid
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
    const success = new URL(answer.headers.get('location'))
    const page = await (await fetch(success)).text()
    return { success: success.pathname + success.search, order: /\/o\/[A-Za-z0-9]{43}/.exec(page)[0] }
  }
  const findDrop = async (state) => {
    for (let id = 1; id < 50; id += 1) {
      const answer = await fetch(`${url}/api/drop/${id}`)
      if (answer.ok && (await answer.json()).state === state) return `/drop/${id}`
    }
    throw new Error(`no drop is ${state}`)
  }
  const dropId = async () => (await (await fetch(`${url}/api/drop/low-sun`)).json()).id
  let disputed
  const dispute = async () => {
    const { order } = await pay({ cardNumber: '4000 0000 0000 0259' })
    // Stripe tells of it a moment later.
    while (!(await (await fetch(url + order)).text()).includes('Disputed'))
      await new Promise((go) => setTimeout(go, 200))
  }
  let asked
  const ask = async () => {
    const { order } = await pay()
    const body = new URLSearchParams({ about: 'refund', text: 'It looks different from the pictures.' })
    await fetch(`${url}${order}/write`, { method: 'POST', body, redirect: 'manual' })
    return order
  }
  return {
    ...{ openCheckout, findDrop, dropId },
    paid: () => (paid ??= pay()),
    disputed: () => (disputed ??= dispute()),
    asked: () => (asked ??= ask()),
  }
}
