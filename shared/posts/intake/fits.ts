import type { Write } from '../../db/table.ts'
import { Refusal } from '../../errors/refusal.ts'

/**
 * The limits of one transaction, well below DynamoDB's 100 items, 4 MB, and 400 KB (pipeline rule 8, shared/README.md).
 */
const maxima = { items: 90, bytes: 3_500_000, itemBytes: 380_000 } as const

const bytesOf = (write: Write) => Buffer.byteLength(JSON.stringify(write))

/** Rejects a request that does not fit into one transaction, before anything is written. */
export const assertFitsTransaction = (writes: readonly Write[]): void => {
  const sizes = writes.map(bytesOf)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (writes.length <= maxima.items && total <= maxima.bytes && Math.max(0, ...sizes) <= maxima.itemBytes) return
  throw new Refusal('invalid', 'The request is too large for one group. Send fewer accounts, files, or metadata.', {
    code: 'group_too_large',
  })
}
