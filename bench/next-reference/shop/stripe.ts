import { Agent } from 'node:http'
import Stripe from 'stripe'

const url = process.env.BENCH_STRIPE_URL

function createClient(from: string): Stripe {
  const { hostname, port } = new URL(from)
  const httpClient = Stripe.createNodeHttpClient(new Agent({ keepAlive: true }))
  const secretKey = process.env.BENCH_STRIPE_SECRET_KEY ?? ''
  return new Stripe(secretKey, { host: hostname, port: Number(port), protocol: 'http', httpClient })
}

/** The client for the stand-in for Stripe; null for the reference that calls nobody. */
export const stripe = url ? createClient(url) : null
