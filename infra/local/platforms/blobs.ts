import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFileSync } from '../engines/replace-file.ts'

/** The bytes a platform was given, by key (letters, digits, dashes). */
export interface Blobs {
  get(key: string): Buffer | undefined
  put(key: string, bytes: Buffer): void
  clear(): void
}

export function openBlobs(folder: string | undefined): Blobs {
  return folder === undefined ? blobsInMemory() : blobsOnDisk(folder)
}

function blobsInMemory(): Blobs {
  const map = new Map<string, Buffer>()
  return {
    get: (key) => map.get(key),
    put: (key, bytes) => void map.set(key, bytes),
    clear: () => map.clear(),
  }
}

function blobsOnDisk(folder: string): Blobs {
  mkdirSync(folder, { recursive: true })
  const fileOf = (key: string) => join(folder, key)
  return {
    get: (key) => (isKey(key) && existsSync(fileOf(key)) ? readFileSync(fileOf(key)) : undefined),
    put(key, bytes) {
      if (!isKey(key)) throw new Error(`A blob cannot be kept under the key ${key}`)
      replaceFileSync(fileOf(key), bytes)
    },
    clear() {
      rmSync(folder, { recursive: true, force: true })
      mkdirSync(folder, { recursive: true })
    },
  }
}

function isKey(key: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/i.test(key)
}
