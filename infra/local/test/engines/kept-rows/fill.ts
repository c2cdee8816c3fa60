import * as z from 'zod/mini'
import { openRows } from '../../../engines/stored-rows.ts'

/** Saves rows of 1 KB until the disk is full; returns their number and the error. */
const fill = (file: string): string => {
  const rows = openRows(file)
  const map = rows.map<number, z.ZodMiniString>('filled', z.string())
  for (let n = 0; ; n += 1) {
    try {
      map.set(n, 'x'.repeat(1_000))
      rows.save()
    } catch (error) {
      return JSON.stringify({ saved: n, reason: String(error) })
    }
  }
}

process.stdout.write(fill(process.argv[2] ?? ''))
