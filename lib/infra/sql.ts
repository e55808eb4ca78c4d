import 'server-only'
import type { QueryResultRow } from 'pg'
import { compileStatement, type CompiledStatement, valuesOf } from './compile-statement'

/** The values of a statement by parameter name. Every name needs a value, which may be `null` but not `undefined`. */
export type SqlParameters = Readonly<Record<string, unknown>>

/**
 * Runs one hand-written statement with named parameters (`:dropId`). Use it on frequently run paths where one statement
 * must decide (ADR 0006); everything else goes through Prisma. Rows are returned as the driver delivers them. The
 * driver returns `bigint` and `numeric` as strings, so statements cast sums and counts to the type that they need.
 */
export type Sql = {
  /** Runs a statement that is prepared once per connection under its name. No two statements may have the same name. */
  <Row extends QueryResultRow>(name: string, text: string, parameters?: SqlParameters): Promise<Row[]>
  /**
   * Runs a statement that Postgres plans anew for its values. Use it for searches, where the best plan depends on how
   * rare the words are. A single plan for all words would be wrong for most of them.
   */
  unprepared: <Row extends QueryResultRow>(text: string, parameters?: SqlParameters) => Promise<Row[]>
}

type Query = { name?: string; text: string; values: unknown[] }

/** Runs a query on the pool or on the one connection of a transaction. */
export type RunQuery = (query: Query) => Promise<{ rows: QueryResultRow[] }>

const compiled = new Map<string, CompiledStatement & { source: string }>()

function compileOnce(name: string, source: string): CompiledStatement {
  const known = compiled.get(name)
  if (known?.source === source) return known
  if (known) throw new Error(`two statements are called ${name}`)
  const fresh = { ...compileStatement(source), source }
  compiled.set(name, fresh)
  return fresh
}

/** Builds the functions for hand-written statements on a connection. */
export function sqlOver(run: RunQuery): Sql {
  const rowsOf = async <Row extends QueryResultRow>(query: Query) => (await run(query)).rows as Row[]
  const prepared = async <Row extends QueryResultRow>(name: string, source: string, parameters: SqlParameters = {}) => {
    const statement = compileOnce(name, source)
    return rowsOf<Row>({ name, text: statement.text, values: valuesOf(statement, parameters) })
  }
  const unprepared = async <Row extends QueryResultRow>(source: string, parameters: SqlParameters = {}) => {
    const statement = compileStatement(source)
    return rowsOf<Row>({ text: statement.text, values: valuesOf(statement, parameters) })
  }
  return Object.assign(prepared, { unprepared })
}
