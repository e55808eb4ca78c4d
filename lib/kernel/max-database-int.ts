/** The largest number that an integer column of Postgres can store. A larger one would fail in a statement. */
export const MAX_DATABASE_INT = 2_147_483_647
