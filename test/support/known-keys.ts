import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * A key of scrypt takes a tenth of a second of processor time, and tests sign the same people in again and again. The
 * same input has the same key, so each is calculated once. Tests of what it costs run without this (vitest.long.config.ts).
 */
const calculate = crypto.scrypt
const known = new Map<string, Promise<Buffer>>()

type Done = (error: Error | null, key: Buffer) => void

const keyOf = (password: string, salt: Buffer, bytes: number, cost: crypto.ScryptOptions): Promise<Buffer> => {
  const input = JSON.stringify([password, salt.toString('hex'), bytes, cost])
  const key =
    known.get(input) ??
    new Promise<Buffer>((resolve, reject) => {
      calculate(password, salt, bytes, cost, (error, made) => (error ? reject(error) : resolve(made)))
    })
  known.set(input, key)
  return key
}

Object.assign(crypto, {
  scrypt(password: string, salt: Buffer, bytes: number, cost: crypto.ScryptOptions, done: Done) {
    keyOf(password, salt, bytes, cost).then(
      (key) => done(null, Buffer.from(key)),
      (error: Error) => done(error, Buffer.alloc(0)),
    )
  },
})
syncBuiltinESMExports()
