import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod/mini'
import { codeOf } from '../stop.ts'
import { replaceFileSync } from './replace-file.ts'

/** A value in memory and, if a path was given, in a JSON file. */
export interface StateFile<T> {
  readonly value: T
  /** Writes the value before it returns; the file is at every moment the old state or the new one, never half of one. */
  save(): void
}

const Sealed = z.object({ nonce: z.base64(), tag: z.base64(), sealed: z.base64() })

const seal = (key: Buffer, text: string): z.infer<typeof Sealed> => {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const tag = cipher.getAuthTag().toString('base64')
  return { nonce: nonce.toString('base64'), tag, sealed: sealed.toString('base64') }
}

const unseal = (key: Buffer, content: unknown): unknown => {
  const { nonce, tag, sealed } = z.parse(Sealed, content)
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), { authTagLength: 16 })
  decipher.setAuthTag(Buffer.from(tag, 'base64'))
  return JSON.parse(Buffer.concat([decipher.update(Buffer.from(sealed, 'base64')), decipher.final()]).toString('utf8'))
}

/**
 * Reads the state stored at `path`, or starts with `empty`; without a path the state is lost when the process ends. With a
 * key of 32 bytes the file is encrypted, and survives a power failure.
 */
export function openStateFile<S extends z.ZodMiniType>(
  path: string | undefined,
  shape: S,
  empty: z.infer<S>,
  key?: Buffer,
): StateFile<z.infer<S>> {
  if (path === undefined) return { value: empty, save: () => {} }
  const value = readState(path, shape, key) ?? empty
  return {
    value,
    save() {
      mkdirSync(dirname(path), { recursive: true })
      // It contains keys and secrets: only the owner can read it.
      const text = JSON.stringify(value, undefined, 2)
      replaceFileSync(path, key === undefined ? text : JSON.stringify(seal(key, text)), key !== undefined)
    },
  }
}

function readState<S extends z.ZodMiniType>(path: string, shape: S, key: Buffer | undefined): z.infer<S> | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    const content: unknown = JSON.parse(text)
    return shape.parse(key === undefined ? content : unseal(key, content))
  } catch (cause) {
    throw new Error(`The state file ${path} is corrupt; repair it, or delete it to start empty.`, { cause })
  }
}
