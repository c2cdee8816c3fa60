import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod/mini'

/** An attribute that is a text, as the table stores it. */
const Text = z.optional(z.object({ S: z.string() }))
/** What is read of a row. */
const Row = z.object({
  type: Text,
  id: Text,
  userId: Text,
  dataKey: Text,
  storageKey: Text,
  previewKey: Text,
})

/** A data key, and who it belongs to. */
export interface DataKey {
  id: string
  dataKey: string
}

/** What rows refer to. */
export interface References {
  rows: number
  /** The storage keys of files. */
  files: string[]
  dataKeys: DataKey[]
}

export const noReferences: References = { rows: 0, files: [], dataKeys: [] }

/** Reads all rows of a table that nobody writes to. */
export const readReferences = (file: string): References => {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const read: References = { rows: 0, files: [], dataKeys: [] }
    for (const { item } of database.prepare('select item from items').iterate()) {
      read.rows += 1
      const { data: row = {} } = z.safeParse(Row, JSON.parse(String(item)))
      if (row.type?.S === 'Asset')
        for (const key of [row.storageKey, row.previewKey]) if (key !== undefined) read.files.push(key.S)
      const id = row.id ?? row.userId
      if (row.dataKey !== undefined && id !== undefined) read.dataKeys.push({ id: id.S, dataKey: row.dataKey.S })
    }
    return read
  } finally {
    database.close()
  }
}
