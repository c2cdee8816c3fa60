// libsql answers BLOB columns as ArrayBuffer, where better-sqlite3 answers Buffer.
const Database = require('libsql')

const buffers = (row) => {
  if (row === null || typeof row !== 'object') return row instanceof ArrayBuffer ? Buffer.from(row) : row
  for (const [name, value] of Object.entries(row)) if (value instanceof ArrayBuffer) row[name] = Buffer.from(value)
  return row
}

const { prepare } = Database.prototype
Database.prototype.prepare = function (...args) {
  const statement = prepare.apply(this, args)
  const all = statement.all.bind(statement)
  const get = statement.get.bind(statement)
  statement.all = (...values) => all(...values).map(buffers)
  statement.get = (...values) => buffers(get(...values))
  return statement
}

module.exports = Database
