/**
 * The messages of errors that mean that the database cannot be reached or is overloaded. An error code alone is not
 * enough, because drivers report a lost connection without one.
 */
export const unavailableTexts = {
  /** The messages of the driver, of Prisma and of Postgres itself. */
  driver:
    /Connection terminated|connection timeout|timeout expired|timeout exceeded when trying to connect|Can't reach database|not queryable|terminating connection|Query read timeout|Connection ended unexpectedly|Server has closed the connection|socket hang up|read ECONNRESET|write EPIPE/i,
  /**
   * The messages of pgbouncer when it has lost the database or has no free connection. Their code 08P01 is also that
   * of a statement with the wrong number of parameters, which is a bug in our code.
   */
  pooler:
    /server conn crashed|server_login_retry|query_wait_timeout|cannot connect to server|server closed the connection unexpectedly|max_client_conn|invalid server parameter|pgbouncer is in|client_login_timeout|server_idle_timeout|server_lifetime/i,
}
