import 'server-only'
import { pool } from './db'

const shared = globalThis as unknown as {
  lastcallAnswers?: Map<string, number>
  lastcallRequestErrors?: Map<string, number>
  lastcallHolds?: Map<string, number>
}

/** Counts a response of the API by the class of its status, for /api/metrics. */
export function countAnswer(status: number): void {
  const answers = (shared.lastcallAnswers ??= new Map<string, number>())
  const name = `${Math.floor(status / 100)}xx`
  answers.set(name, (answers.get(name) ?? 0) + 1)
}

/** Counts an error that reached Next, by where it happened: render, action, route or proxy. */
export function countRequestError(kind: string): void {
  const errors = (shared.lastcallRequestErrors ??= new Map<string, number>())
  errors.set(kind, (errors.get(kind) ?? 0) + 1)
}

/**
 * Counts what became of a wish to buy, for /api/metrics: units were held, none were and why not, or the hold ended
 * unpaid.
 */
export function countHold(outcome: 'held' | 'refused' | 'work' | 'yielded' | 'expired'): void {
  const holds = (shared.lastcallHolds ??= new Map<string, number>())
  holds.set(outcome, (holds.get(outcome) ?? 0) + 1)
}

export type Metric = {
  name: string
  help: string
  type: 'gauge' | 'counter'
  values: [labels: string, value: number][]
}

/** The metrics that this process knows by itself. */
export function processMetrics(): Metric[] {
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: 'gauge',
    values: [['', value]],
  })
  const { totalCount, idleCount, waitingCount } = pool()
  return [
    gauge('process_resident_memory_bytes', 'Memory of this process.', process.memoryUsage.rss()),
    gauge('process_uptime_seconds', 'How long this process has run.', process.uptime()),
    {
      name: 'lastcall_database_connections',
      help: 'Connections of this process by state; waiting is calls without one.',
      type: 'gauge',
      values: [
        ['state="busy"', totalCount - idleCount],
        ['state="idle"', idleCount],
        ['state="waiting"', waitingCount],
      ],
    },
    {
      name: 'lastcall_api_answers_total',
      help: 'Answers of the API by class of status, since this process started.',
      type: 'counter',
      values: [...(shared.lastcallAnswers ?? [])].map(([name, count]) => [`status="${name}"`, count]),
    },
    {
      name: 'lastcall_request_errors_total',
      help: 'Pages, actions and handlers that failed with an unexpected error, since this process started.',
      type: 'counter',
      values: [...(shared.lastcallRequestErrors ?? [])].map(([kind, count]) => [`kind="${kind}"`, count]),
    },
    {
      name: 'lastcall_holds_total',
      help: 'Holds taken, refused, slowed down by work, yielded to others and expired, since this process started.',
      type: 'counter',
      values: [...(shared.lastcallHolds ?? [])].map(([name, count]) => [`outcome="${name}"`, count]),
    },
  ]
}

/** Formats metrics in the text format of Prometheus. */
export function toPrometheus(metrics: Metric[]): string {
  return metrics
    .flatMap(({ name, help, type, values }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...values.map(([labels, value]) => `${name}${labels ? `{${labels}}` : ''} ${value}`),
    ])
    .join('\n')
    .concat('\n')
}
