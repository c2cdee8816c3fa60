import * as z from 'zod/mini'
import { openRows } from '../../../engines/stored-rows.ts'

/** Saves rows of 1 KB until the disk takes no more; says how many it took, and why no more. */
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
