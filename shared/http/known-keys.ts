import type * as z from 'zod/mini'

/** The parts of a schema's definition that contain other schemas. */
interface Definition {
  shape?: Readonly<Record<string, z.ZodMiniType>>
  element?: z.ZodMiniType
  valueType?: z.ZodMiniType
  keyType?: z.ZodMiniType
  entries?: Readonly<Record<string, string | number>>
  innerType?: z.ZodMiniType
  in?: z.ZodMiniType
  options?: readonly z.ZodMiniType[]
}

const definitionOf = (schema: z.ZodMiniType): Definition => schema._zod.def as Definition

/** The schemas behind wrappers and unions that say which keys a value has. */
const bare = (schema: z.ZodMiniType): z.ZodMiniType[] => {
  const { innerType, in: input, options } = definitionOf(schema)
  const next = options ?? [innerType ?? input ?? []].flat()
  return next.length > 0 ? next.flatMap(bare) : [schema]
}

/** The keys of an object, or of a record whose keys are an enum. */
const ownKeys = (schema: z.ZodMiniType): string[] => {
  const { shape, keyType } = definitionOf(schema)
  return Object.keys(shape ?? (keyType && definitionOf(keyType).entries) ?? {})
}

/** The keys that a schema knows at a path of a value; none if any key is allowed. */
export const knownKeys = (schema: z.ZodMiniType, path: readonly PropertyKey[]): string[] => {
  const [step, ...rest] = path
  const inner = bare(schema)
  if (step === undefined) return inner.flatMap(ownKeys)
  return inner.flatMap((branch) => {
    const { shape, element, valueType } = definitionOf(branch)
    const next = shape === undefined ? (element ?? valueType) : shape[String(step)]
    return next === undefined ? [] : knownKeys(next, rest)
  })
}
