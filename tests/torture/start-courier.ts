import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, Recorder } from './create-recorder'
import type { EventFate } from './plan-storm'
import { readWithin } from './read-within'

export type Courier = {
  /** The URL to which Stripe sends its events. */
  url: string
  /** From now on, events arrive `delayMs` later or, with `isLosing`, do not arrive. Stripe sends lost events again. */
  setWeather: (weather: { delayMs: number; isLosing: boolean }) => void
  /** From now on, every event is delivered once and without delay. */
  calmDown: () => void
  stop: () => void
}

const FORWARD_MS = 8_000

/**
 * Starts a server that forwards Stripe's events to the two processes. As planned, some events arrive late, twice at the
 * same moment, or again later, and some responses are lost. Otherwise Stripe gets the status of the application's
 * response, a 502 if the application does not respond, and a 500 while events are lost.
 */
export async function startCourier(
  recorder: Recorder,
  appUrls: readonly string[],
  fates: readonly EventFate[],
): Promise<Courier> {
  let weather = { delayMs: 0, isLosing: false }
  let isCalm = false
  let count = 0

  async function forward(app: number, payload: string, headers: Record<string, string>): Promise<Outcome> {
    const { id: eventId, type } = JSON.parse(payload) as { id: string; type: string }
    const at = Date.now()
    const url = `${appUrls[app]}/api/webhooks/stripe`
    const outcome = await readWithin(FORWARD_MS, url, { method: 'POST', headers, body: payload }).then(
      ({ status, body }): Outcome => ({ status, body: body.slice(0, 300) }),
      (error: unknown): Outcome => ({ unknown: String(error).slice(0, 100) }),
    )
    recorder.add({ kind: 'delivery', eventId, type, app, at, until: Date.now(), outcome })
    return outcome
  }

  async function deliver(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const payload = Buffer.concat(chunks).toString()
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': String(request.headers['stripe-signature']),
    }
    const fate = fates[count++ % fates.length]!
    if (weather.isLosing) return void response.writeHead(500).end()
    const wasCalm = isCalm
    if (!wasCalm) await sleep(Math.min(8_000, fate.delayMs + weather.delayMs))
    const [outcome] = await Promise.all([
      forward(fate.app, payload, headers),
      ...(fate.isTwinned && !wasCalm ? [forward(1 - fate.app, payload, headers)] : []),
    ])
    if (fate.comesAgainMs !== null && !wasCalm) {
      void sleep(fate.comesAgainMs).then(() => (isCalm ? undefined : forward(1 - fate.app, payload, headers)))
    }
    if (fate.isAnswerLost && !wasCalm) return void response.destroy()
    response.writeHead('status' in outcome ? outcome.status : 502).end()
  }

  const server = createServer((request, response) => {
    deliver(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setWeather: (next) => (weather = next),
    calmDown: () => {
      isCalm = true
      weather = { delayMs: 0, isLosing: false }
    },
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
