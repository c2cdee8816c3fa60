import * as z from 'zod/mini'
import { faultsOf } from '../../http/sentence.ts'
import type { Finding, PlatformDefinition } from '../definition.ts'

/** The block `metadata.<platform>` against its schema. */
export const checkMetadata = ({ id, rules }: PlatformDefinition, metadata: unknown): Finding[] => {
  const block = rules.metadata
  if (!block) return []
  const name = `metadata.${id}`
  if (metadata === undefined || metadata === null) {
    if (!block.required) return []
    return [{ code: 'metadata_required', message: `${name} is missing`, next: `Send the block ${name}.` }]
  }
  const parsed = z.safeParse(block.schema, metadata, { reportInput: true })
  return (parsed.error?.issues ?? []).flatMap((issue) =>
    faultsOf({ ...issue, path: ['metadata', id, ...issue.path] }, name).map(({ field, message }) => ({
      code: 'metadata_invalid',
      field,
      message,
      next: `Correct ${field}.`,
    })),
  )
}
