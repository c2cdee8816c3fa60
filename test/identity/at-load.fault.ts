import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

// A hash or a random number made while a module loads is paid by every cold start of a function that carries it.
const watch = `
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
const called = []
for (const [name, one] of Object.entries(crypto)) {
  const { writable } = Object.getOwnPropertyDescriptor(crypto, name)
  if (typeof one !== 'function' || !writable || /^[A-Z]/.test(name)) continue
  crypto[name] = (...values) => {
    // What packages do is theirs.
    if (/\\/(shared|functions)\\/(?!.*node_modules)/.test(new Error().stack)) called.push(name)
    return one(...values)
  }
}
syncBuiltinESMExports()
const { everyRoute, workerTable } = await import('./functions/routes.ts')
const atLoad = called.splice(0)
const { random62 } = await import('./shared/ids.ts')
random62(1)
console.log(JSON.stringify({ handlers: everyRoute.length + workerTable.length, atLoad, noticed: called }))
`

test('no handler hashes, signs, or draws random bytes while it loads', async () => {
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', watch], { cwd: root })
  const { handlers, atLoad, noticed } = JSON.parse(stdout)
  expect(handlers).toBeGreaterThan(70)
  expect(noticed).toContain('randomBytes')
  expect(atLoad).toEqual([])
})
