import 'server-only'
import pg from 'pg'

/**
 * A connection without prepared statements: their names are left out of every query. A pooler in transaction mode would
 * look for such a statement on a connection of Postgres that never prepared it.
 */
export class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const named = this.query.bind(this)
    const query = (first: unknown, ...rest: unknown[]): unknown =>
      Reflect.apply(named, this, [withoutName(first), ...rest])
    Object.assign(this, { query })
  }
}

function withoutName(query: unknown): unknown {
  if (typeof query !== 'object' || query === null || !('name' in query)) return query
  return { ...query, name: undefined }
}
