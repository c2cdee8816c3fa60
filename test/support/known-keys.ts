import crypto, { createHmac } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * A key of scrypt takes a fifth of a second of processor time, and tests sign people in again and again. A hash that was
 * made in this process has a salt that was drawn here: its key is an HMAC. A recorded hash has its key of scrypt, which is
 * calculated once. Tests of the cost of a key run without this (vitest.long.config.ts).
 */
const calculate = crypto.scrypt
const draw = crypto.randomBytes
const drawn = new Set<string>()
const known = new Map<string, Promise<Buffer>>()

/** As many bytes as a salt has (shared/identity/password.ts). */
const saltBytes = 16

type Done = (error: Error | null, key: Buffer) => void

const makeKey = async (password: string, salt: Buffer, bytes: number, cost: crypto.ScryptOptions): Promise<Buffer> => {
  const isDrawn = bytes === 32 && drawn.has(salt.toString('hex'))
  if (isDrawn)
    return createHmac('sha256', salt)
      .update(JSON.stringify([password, cost]))
      .digest()
  return new Promise<Buffer>((resolve, reject) => {
    calculate(password, salt, bytes, cost, (error, made) => (error ? reject(error) : resolve(made)))
  })
}

const keyOf = (...[password, salt, bytes, cost]: Parameters<typeof makeKey>): Promise<Buffer> => {
  const input = JSON.stringify([password, salt.toString('hex'), bytes, cost])
  const key = known.get(input) ?? makeKey(password, salt, bytes, cost)
  known.set(input, key)
  return key
}

Object.assign(crypto, {
  randomBytes(bytes: number, done?: (error: Error | null, made: Buffer) => void) {
    if (done !== undefined) return draw(bytes, done)
    const made = draw(bytes)
    if (bytes === saltBytes) drawn.add(made.toString('hex'))
    return made
  },
  scrypt(password: string, salt: Buffer, bytes: number, cost: crypto.ScryptOptions, done: Done) {
    keyOf(password, salt, bytes, cost).then(
      (key) => done(null, Buffer.from(key)),
      (error: Error) => done(error, Buffer.alloc(0)),
    )
  },
})
syncBuiltinESMExports()
