import { randomUUID } from 'node:crypto'
import {
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { syncToDisk } from '../replace-file.ts'
import type { Backend, StoredDocument } from './backend.ts'

/**
 * Keeps bytes as `<id>.blob` and documents as `<name>.json`, each renamed atomically, so that a kill leaves the old or the
 * new one. If they are durable, a power failure does as well.
 */
export function folderBackend(folder: string, isDurable = false): Backend {
  mkdirSync(folder, { recursive: true })
  const rename = (from: string, to: string) => {
    renameSync(path(from), path(to))
    if (isDurable) syncToDisk(folder)
  }
  const path = (name: string) => join(folder, name)
  const remove = (name: string) => rmSync(path(name), { force: true })
  for (const name of readdirSync(folder)) if (name.endsWith('.part')) remove(name)

  return {
    async write(chunks) {
      const blob = randomUUID()
      try {
        await writeFile(path(`${blob}.part`), chunks, { flush: true })
        rename(`${blob}.part`, `${blob}.blob`)
      } catch (error) {
        remove(`${blob}.part`)
        throw error
      }
      return blob
    },
    read(blob, start, end) {
      if (end < start) return Readable.from([])
      // Opened immediately: the blob may be replaced before the stream would open it.
      return createReadStream('', { fd: openSync(path(`${blob}.blob`), 'r'), start, end })
    },
    removeBlob: (blob) => remove(`${blob}.blob`),
    save(name, document) {
      writeFileSync(path(`${name}.part`), JSON.stringify(document), { flush: true })
      rename(`${name}.part`, `${name}.json`)
    },
    removeDocument: (name) => remove(`${name}.json`),
    load() {
      const names = readdirSync(folder).filter((name) => name.endsWith('.json'))
      return names.map((name): StoredDocument => JSON.parse(readFileSync(path(name), 'utf8')))
    },
    sweep(known) {
      for (const name of readdirSync(folder)) {
        if (name.endsWith('.blob') && !known.has(name.slice(0, -'.blob'.length))) remove(name)
      }
    },
  }
}
