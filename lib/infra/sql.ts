import 'server-only'
import type { QueryResultRow } from 'pg'
import { compileStatement, type CompiledStatement, valuesOf } from './named-parameters'

/** The values of a statement by the names they have in it; every name needs one, `null` where there is nothing to say. */
export type SqlParameters = Readonly<Record<string, unknown>>

/**
 * Runs one hand-written statement whose parameters have names (`:dropId`). For the paths a crowd walks, where one statement
 * must decide (ADR 0006); everything else goes through Prisma. Rows come as the driver gives them, inside and outside
 * of a transaction: `bigint` and `numeric` as text, so statements cast sums and counts to what they need.
 */
export type Sql = {
  /** Prepared once per connection under its name. A name belongs to one text. */
  <Row extends QueryResultRow>(name: string, text: string, parameters?: SqlParameters): Promise<Row[]>
  /**
   * Planned for its very values: for searches, where the best way depends on how rare the words are and a plan made for all
   * words would be wrong for most.
   */
  unprepared: <Row extends QueryResultRow>(text: string, parameters?: SqlParameters) => Promise<Row[]>
}

type Query = { name?: string; text: string; values: unknown[] }

/** What runs a query: the pool, or the one connection of a transaction. */
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

/** Hand-written statements over a connection. */
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
