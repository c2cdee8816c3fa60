import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import { described } from '../http/described.ts'
import { shortestPassword } from './weak-password.ts'

/** A new password; `assertStrongPassword` checks its content. */
export const NewPassword = described(
  z.string().check(z.minLength(shortestPassword), z.maxLength(128)),
  `The new password, ${shortestPassword} to 128 characters. Common passwords, and those that contain your name or address, are rejected.`,
)

interface Cost {
  ln: number
  r: number
  p: number
}

/** 32 MiB of memory per hash. */
const current: Cost = { ln: 15, r: 8, p: 3 }

const form = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** A hash without a known password. It is compared if there is no account, so that both cases take the same time. */
export const decoyHash = '$scrypt$ln=15,r=8,p=3$4QzdEVhzfnljEzXf/eZuQA$WAfQBie3zR4xr2ENZRA+X0yRKqRpvXwunoJOMKLOVYg'

const derive = (password: string, salt: Buffer, keyBytes: number, { ln, r, p }: Cost) =>
  new Promise<Buffer>((resolve, reject) => {
    const N = 2 ** ln
    // Node's default of 32 MiB is just too small for these costs.
    const options = { N, r, p, maxmem: 256 * N * r }
    // The same password typed on two systems can differ in its code points (NIST SP 800-63B, 3.1.1.2).
    scrypt(password.normalize('NFKC'), salt, keyBytes, options, (error, key) => (error ? reject(error) : resolve(key)))
  })

const read = (stored: string) => {
  const [, ln, r, p, salt, key] = form.exec(stored) ?? []
  if (!salt || !key) throw new Error('a stored password hash cannot be read')
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    key: Buffer.from(key, 'base64'),
  }
}

const text64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')

/** The stored hash of a password, with its cost and salt. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(16)
  const key = await derive(password, salt, 32, current)
  return `$scrypt$ln=${current.ln},r=${current.r},p=${current.p}$${text64(salt)}$${text64(key)}`
}

/** Whether a password matches a stored hash. */
export const checkPassword = async (password: string, stored: string): Promise<boolean> => {
  const { cost, salt, key } = read(stored)
  return timingSafeEqual(await derive(password, salt, key.length, cost), key)
}

/** Whether a hash was made with a lower cost than the current one. */
export const isOutdated = (stored: string): boolean => {
  const work = ({ ln, r, p }: Cost) => 2 ** ln * r * p
  return work(read(stored).cost) < work(current)
}
