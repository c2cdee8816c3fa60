import * as z from 'zod/mini'
import { knownKeys } from '../../http/known-keys.ts'
import { faultsOf } from '../../http/sentence.ts'
import { suggest } from '../../http/suggest.ts'
import type { Finding, PlatformDefinition } from '../definition.ts'

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isEmpty = (value: unknown) => !isObject(value) || Object.keys(value).length === 0

/** The most keys that are compared with the known ones. */
const maxCompared = 50

interface UnknownKey {
  field: string
  /** The known key that it is close to. */
  meant: string | undefined
}

/** Keys that the schema does not know, at every depth that it knows. */
const unknownKeys = (schema: z.ZodMiniType, block: unknown, root: string): UnknownKey[] => {
  const found: UnknownKey[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (!isObject(value)) return
    const known = Array.isArray(value) ? undefined : knownKeys(schema, path)
    if (known?.length === 0) return
    for (const [key, inner] of Object.entries(value)) {
      if (known === undefined || known.includes(key)) visit(inner, [...path, key])
      else if (found.length < maxCompared) {
        found.push({ field: [root, ...path, key].join('.'), meant: suggest(key, known) })
      }
    }
  }
  visit(block, [])
  return found
}

/** Decided: only keys that are close to a known one are rejected. Others may stand there, as the specification has it. */
const misspelled = (schema: z.ZodMiniType, block: unknown, root: string): Finding[] =>
  unknownKeys(schema, block, root).flatMap(({ field, meant }) =>
    meant === undefined
      ? []
      : [
          {
            code: 'metadata_invalid',
            field,
            message: `"${field}" is not a known field.`,
            next: `Did you mean "${meant}"?`,
          },
        ],
  )

/** The fields of the block `metadata.<platform>` that are accepted and have no effect. */
export const unknownFields = ({ id, rules }: PlatformDefinition, metadata: unknown): string[] =>
  rules.metadata === undefined
    ? []
    : unknownKeys(rules.metadata.schema, metadata, `metadata.${id}`).flatMap(({ field, meant }) =>
        meant === undefined ? [field] : [],
      )

/** The block `metadata.<platform>` against its schema. */
export const checkMetadata = ({ id, rules }: PlatformDefinition, metadata: unknown): Finding[] => {
  const { metadata: block } = rules
  const path = `metadata.${id}`
  if (!block) {
    if (isEmpty(metadata)) return []
    return [{ code: 'metadata_invalid', message: `"${path}" has no fields.`, next: `Remove "${path}".` }]
  }
  const example = block.example === undefined ? undefined : `Example: {"${id}":${JSON.stringify(block.example)}}.`
  if (metadata === undefined || metadata === null) {
    if (!block.required) return []
    const next = [`Send the block "${path}".`, example].filter(Boolean).join(' ')
    return [{ code: 'metadata_required', message: `"${path}" is missing.`, next }]
  }
  const parsed = z.safeParse(block.schema, metadata, { reportInput: true })
  const at = { schema: block.schema, root: path, above: ['metadata', id] }
  const invalid = (parsed.error?.issues ?? [])
    .flatMap((issue) => faultsOf(issue, at))
    .map(
      ({ field, code, message }): Finding => ({
        code: 'metadata_invalid',
        field,
        message,
        next: (code === 'required' ? example : undefined) ?? `Correct "${field}".`,
      }),
    )
  // What is misspelled is often what is missing: the nearer fix comes first.
  return [...misspelled(block.schema, metadata, path), ...invalid]
}
