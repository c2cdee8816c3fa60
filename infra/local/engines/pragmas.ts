/**
 * How SQLite writes. The write-ahead log is synced for each write of a durable database (`synchronous = FULL`). For others it
 * is not (`NORMAL`): a power failure can lose the last writes, but leaves no half of a transaction and no corrupt file
 * (https://sqlite.org/wal.html, https://www.sqlite.org/pragma.html#pragma_synchronous).
 */
export const pragmas = (isDurable: boolean): string =>
  `pragma journal_mode = wal; pragma synchronous = ${isDurable ? 'full' : 'normal'}; pragma busy_timeout = 5000`
