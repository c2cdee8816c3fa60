import { copyFileSync, existsSync, linkSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredDocument } from '../engines/buckets/backend.ts'
import { syncToDisk } from '../engines/replace-file.ts'
import { codeOf } from '../stop.ts'

/** The size of each file by its key. */
export type Sizes = Map<string, number>

/** Copies a file to the disk. */
export const copySynced = (from: string, to: string): void => {
  copyFileSync(from, to)
  syncToDisk(to)
}

/** Whether a file could be linked; throws ENOENT if it is gone. */
const tryLink = (from: string, to: string): boolean => {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw error
    return false
  }
}

export const hasSameBytes = (file: string, other: string): boolean =>
  existsSync(other) && readFileSync(file).equals(readFileSync(other))

/** Copies a file that is never changed. */
export const linkOrCopy = (from: string, to: string): void => {
  if (!tryLink(from, to)) copySynced(from, to)
}

interface Folders {
  from: string
  to: string
  /** A folder with files of the same names, to which links can be made if they cannot be made to those of `from`. */
  earlier?: string | undefined
}

/**
 * Files of buckets are replaced and never changed, so that a hard link is a copy. On another disk, only what the backup before
 * lacks is copied. Throws ENOENT if the file is gone.
 */
const add = ({ from, to, earlier }: Folders, name: string): void => {
  const [source, target] = [join(from, name), join(to, name)]
  if (existsSync(target) || tryLink(source, target)) return
  const known = earlier === undefined ? undefined : join(earlier, name)
  // The name of a blob is never used again.
  const isSame = known !== undefined && (name.endsWith('.blob') ? existsSync(known) : hasSameBytes(source, known))
  if (isSame) linkOrCopy(known, target)
  else copySynced(source, target)
}

const addDocument = (folders: Folders, name: string, sizes: Sizes): void => {
  const copy = join(folders.to, name)
  for (let blobBefore: string | undefined; ; ) {
    add(folders, name)
    const document: StoredDocument = JSON.parse(readFileSync(copy, 'utf8'))
    if (document.kind !== 'object') return
    const { blob, key, size } = document.value
    try {
      add(folders, `${blob}.blob`)
      return void sizes.set(key, size)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      // The object was replaced or removed meanwhile, or its bytes are lost.
      rmSync(copy)
      if (blob === blobBefore) return
      blobBefore = blob
    }
  }
}

/** The documents of buckets and objects. Uploads that have not ended start again. */
const documentForm = /^(?:bucket|object)\..+\.json$/

/** Adds the objects of a folder of buckets that a copy lacks, while others write to it. */
export const addObjects = (folders: Folders, sizes: Sizes): void => {
  for (const name of readdirSync(folders.from).filter((file) => documentForm.test(file))) {
    if (existsSync(join(folders.to, name))) continue
    try {
      addDocument(folders, name, sizes)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
}
