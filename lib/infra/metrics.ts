import 'server-only'
import { processState } from '@/lib/kernel/process-state.mjs'
import { sharedCacheSize } from '@/lib/kernel/shared-cache-size.mjs'
import { queueLengths } from './bounded-queue'
import { pool } from './db'
import { oneAtATimeLengths } from './one-at-a-time'
import { rowQueueLengths } from './queue-for-row'

const counters = processState('metrics', () => ({
  answers: new Map<string, number>(),
  requestErrors: new Map<string, number>(),
  holds: new Map<string, number>(),
  appExits: new Map<string, number>(),
  jobFailures: new Map<string, number>(),
}))

function count(totals: Map<string, number>, name: string): void {
  totals.set(name, (totals.get(name) ?? 0) + 1)
}

/**
 * Counts a response of answer() (lib/http/answer.ts) by the class of its status, for /api/metrics. Intended refusals,
 * for example while an administrator has paused the platform, are counted apart, because nobody has to be paged for
 * them.
 */
export function countAnswer(status: number | 'intended'): void {
  count(counters.answers, status === 'intended' ? status : `${Math.floor(status / 100)}xx`)
}

/** Counts an error that reached Next, by where it happened: render, action, route or proxy. */
export function countRequestError(kind: string): void {
  count(counters.requestErrors, kind)
}

/**
 * Counts an event of a hold, for /api/metrics: units were held, a hold was refused or needs proof of work first, or a
 * hold ended unpaid, because it yielded to other buyers or expired.
 */
export function countHold(outcome: 'held' | 'refused' | 'work' | 'yielded' | 'expired'): void {
  count(counters.holds, outcome)
}

/** Counts a run of a job of the scheduler that failed, or that could not handle one of its rows, for /api/metrics. */
export function countJobFailure(job: string): void {
  count(counters.jobFailures, job)
}

/** Counts the outcome of "Open in your browser" inside another app's browser, for /api/metrics. */
export function countAppExit(app: string, outcome: 'opened' | 'copied' | 'failed'): void {
  count(counters.appExits, `app="${app}",outcome="${outcome}"`)
}

export type Metric = {
  name: string
  help: string
  type: 'gauge' | 'counter'
  values: [labels: string, value: number][]
}

/** Returns the metrics of this process alone, without those that are read from the database. */
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
      help: 'Connections of this process by state; `waiting` counts calls that wait for a connection.',
      type: 'gauge',
      values: [
        ['state="busy"', totalCount - idleCount],
        ['state="idle"', idleCount],
        ['state="waiting"', waitingCount],
      ],
    },
    gauge('lastcall_shared_cache_bytes', 'Bytes of the answers that this process keeps.', sharedCacheSize().bytes()),
    {
      name: 'lastcall_queue_length',
      help: 'Bounded work of this process: what runs, and what waits for its turn.',
      type: 'gauge',
      values: [...queueLengths(), rowQueueLengths(), oneAtATimeLengths()].flatMap(
        ({ name, running, waiting }): [string, number][] => [
          [`queue="${name}",state="running"`, running],
          [`queue="${name}",state="waiting"`, waiting],
        ],
      ),
    },
    {
      name: 'lastcall_api_answers_total',
      help: 'Answers of the API by class of status, and intended refusals such as those of a pause, since this process started.',
      type: 'counter',
      values: [...counters.answers].map(([name, total]) => [`status="${name}"`, total]),
    },
    {
      name: 'lastcall_request_errors_total',
      help: 'Pages, actions and handlers that failed with an unexpected error, since this process started.',
      type: 'counter',
      values: [...counters.requestErrors].map(([kind, total]) => [`kind="${kind}"`, total]),
    },
    {
      name: 'lastcall_job_failures_total',
      help: 'Runs of a job that failed, or that could not handle one of their rows, since this process started.',
      type: 'counter',
      values: [...counters.jobFailures].map(([job, total]) => [`job="${job}"`, total]),
    },
    {
      name: 'lastcall_holds_total',
      help: 'Holds taken, refused, asked for proof of work, yielded to others and expired, since this process started.',
      type: 'counter',
      values: [...counters.holds].map(([name, total]) => [`outcome="${name}"`, total]),
    },
    {
      name: 'lastcall_app_exits_total',
      help: 'Uses of "Open in your browser" by app and outcome, since this process started.',
      type: 'counter',
      values: [...counters.appExits],
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
