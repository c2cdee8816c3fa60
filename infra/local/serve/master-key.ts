import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { replaceFileSync } from '../engines/replace-file.ts'
import { openStateFile } from '../engines/state-file.ts'
import { Stop } from '../stop.ts'

const keyBytes = 32

/** Proves which key the state was written with, and says nothing about it. */
const Check = z.object({ keyedHash: z.string() })

const hashOf = (key: Buffer): string => createHmac('sha256', key).update('social-publishing master key').digest('hex')

const readKey = (file: string): Buffer => {
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Stop(`Other people of this machine can read the key ${file}: chmod 600 ${file}.`)
  const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length === keyBytes) return key
  throw new Stop(`${file} has no key: it must be ${keyBytes} bytes in base64.`)
}

const openCheck = (folder: string) => openStateFile(join(folder, 'key-check.json'), Check, { keyedHash: '' })

/**
 * Reads the key of a state folder from its own file, which is outside of the folder, so that no copy of the state contains
 * it; undefined before the first start. Throws a Stop if the key is missing or is not the one of the state.
 */
export const readMasterKey = (folder: string, file: string): Buffer | undefined => {
  const { keyedHash } = openCheck(folder).value
  if (!existsSync(file)) {
    if (keyedHash === '') return undefined
    throw new Stop(
      `The key ${file} is missing, and ${folder} cannot be read without it: put it back, or set "keyFile".`,
    )
  }
  const key = readKey(file)
  if (keyedHash !== '' && keyedHash !== hashOf(key))
    throw new Stop(`The key ${file} is not the one that ${folder} was written with: set "keyFile" to that one.`)
  return key
}

/** The key that encrypts all credentials and secrets of a state folder, and whether it is new. */
export interface MasterKey {
  key: Buffer
  isNew: boolean
}

/** Reads the key of a state folder, or makes it at the first start; throws as `readMasterKey` does. */
export const openMasterKey = (folder: string, file: string): MasterKey => {
  const known = readMasterKey(folder, file)
  if (known === undefined) {
    mkdirSync(dirname(file), { recursive: true })
    replaceFileSync(file, `${randomBytes(keyBytes).toString('base64')}\n`, true)
  }
  const key = known ?? readKey(file)
  const check = openCheck(folder)
  check.value.keyedHash = hashOf(key)
  check.save()
  return { key, isNew: known === undefined }
}
