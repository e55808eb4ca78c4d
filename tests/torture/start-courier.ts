import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome, Recorder } from './create-recorder'
import type { EventFate } from './plan-storm'

export type Courier = {
  /** Where Stripe sends its events. */
  url: string
  /** From now on events come later by `delayMs`, or are lost on their way; Stripe sends lost events again. */
  setWeather: (weather: { delayMs: number; isLosing: boolean }) => void
  /** Delivers from now on as Stripe does when nothing is wrong. */
  calmDown: () => void
  stop: () => void
}

const FORWARD_MS = 8_000

/**
 * Stands between Stripe and the two processes. As the plan says, events come late, twice at the same moment, or again after
 * they were taken, and some answers get lost. An event counts as taken when the application has said so.
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
    const outcome = await fetch(`${appUrls[app]}/api/webhooks/stripe`, {
      method: 'POST',
      headers,
      body: payload,
      signal: AbortSignal.timeout(FORWARD_MS),
    }).then(
      async (answer): Promise<Outcome> => ({ status: answer.status, body: (await answer.text()).slice(0, 300) }),
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
    const calmly = isCalm
    if (!calmly) await sleep(Math.min(8_000, fate.delayMs + weather.delayMs))
    const [outcome] = await Promise.all([
      forward(fate.app, payload, headers),
      ...(fate.isTwinned && !calmly ? [forward(1 - fate.app, payload, headers)] : []),
    ])
    if (fate.comesAgainMs !== null && !calmly) {
      void sleep(fate.comesAgainMs).then(() => (isCalm ? undefined : forward(1 - fate.app, payload, headers)))
    }
    if (fate.isAnswerLost && !calmly) return void response.destroy()
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
