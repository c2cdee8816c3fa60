import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { contextOf } from '../../../shared/aws/keys.ts'
import type { StoredDocument } from '../engines/buckets/backend.ts'
import type { StoredObject } from '../engines/buckets/records.ts'
import { unseal } from '../engines/keys.ts'
import { SecretsState } from '../engines/secret-versions.ts'
import { openStateFile } from '../engines/state-file.ts'
import { isWhole } from '../start/saved-state.ts'
import { type DataKey, noReferences, readReferences } from './table-rows.ts'

/** What a state has, and what of it is lost or damaged. */
export interface Contents {
  rows: number
  files: number
  bytes: number
  dataKeys: number
  secrets: number
  faults: string[]
}

const md5Of = (file: string): string => {
  const [md5, chunk, descriptor] = [createHash('md5'), Buffer.allocUnsafe(2 ** 20), openSync(file, 'r')]
  try {
    for (let read = readSync(descriptor, chunk); read > 0; read = readSync(descriptor, chunk))
      md5.update(chunk.subarray(0, read))
  } finally {
    closeSync(descriptor)
  }
  return md5.digest('hex')
}

/** What is wrong with the bytes of an object. The MD5 of an upload in parts is not known. */
const faultOf = (buckets: string, { key, blob, size, etag }: StoredObject): string | undefined => {
  const file = join(buckets, `${blob}.blob`)
  const stored = statSync(file, { throwIfNoEntry: false })
  if (stored === undefined) return `the file ${key} has no content`
  if (stored.size !== size) return `the file ${key} has ${stored.size} bytes instead of ${size}`
  return etag.includes('-') || md5Of(file) === etag ? undefined : `the content of the file ${key} has changed`
}

const parse = (text: string): StoredDocument | undefined => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const checkObjects = (buckets: string) => {
  const [sizes, faults]: [Map<string, number>, string[]] = [new Map(), []]
  for (const name of readdirSync(buckets).filter((file) => file.endsWith('.json'))) {
    const document = parse(readFileSync(join(buckets, name), 'utf8'))
    if (document === undefined) faults.push(`${name} is not JSON`)
    if (document?.kind !== 'object') continue
    const fault = faultOf(buckets, document.value)
    if (fault !== undefined) faults.push(fault)
    sizes.set(document.value.key, document.value.size)
  }
  return { sizes, faults }
}

const opens = (key: Buffer, { id, dataKey }: DataKey): boolean => {
  try {
    unseal(key, Buffer.from(dataKey, 'base64'), contextOf(id))
    return true
  } catch {
    return false
  }
}

const readSecrets = (engines: string, key: Buffer): number | undefined => {
  try {
    return openStateFile(join(engines, 'secrets.json'), SecretsState, [], key).value.length
  } catch {
    return undefined
  }
}

/** Reads the whole state of engines that do not run. */
export const checkContents = (engines: string, key: Buffer): Contents => {
  const table = join(engines, 'table.sqlite')
  const { sizes, faults } = checkObjects(join(engines, 'buckets'))
  const isTableWhole = isWhole(table)
  if (!isTableWhole) faults.push('the table is corrupt')
  const { rows, files, dataKeys } = isTableWhole ? readReferences(table) : noReferences
  for (const missing of files.filter((name) => !sizes.has(name))) faults.push(`the file ${missing} is missing`)
  for (const { id } of dataKeys.filter((dataKey) => !opens(key, dataKey)))
    faults.push(`the credentials of ${id} cannot be decrypted`)
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0)
  const secrets = readSecrets(engines, key)
  if (secrets === undefined) faults.push('the secrets cannot be decrypted')
  return { rows, files: sizes.size, bytes, dataKeys: dataKeys.length, secrets: secrets ?? 0, faults }
}
