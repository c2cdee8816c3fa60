import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as z from 'zod/mini'

/** A place where a body is not what the platform's own description allows. */
export interface Mismatch {
  /** Where, as keys from the outside in. */
  path: readonly string[]
  message: string
}

const Schema = z.looseObject({ properties: z.optional(z.record(z.string(), z.unknown())) })
const Description = z.object({ components: z.object({ schemas: z.record(z.string(), Schema) }) })
type Schemas = z.infer<typeof Description>['components']['schemas']

/** Fields that a platform's documents describe otherwise than its schema. */
type Corrections = Readonly<Record<string, Readonly<Record<string, object>>>>

/** The schemas, closed: a field they do not name is a mistake of the caller. */
const close = (schemas: Schemas, corrections: Corrections): Schemas =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const properties = schema.properties && { ...schema.properties, ...corrections[name] }
      return [name, properties ? { ...schema, properties, additionalProperties: false } : schema]
    }),
  )

/** Checks bodies against one schema of a platform's own API description; a trimmed copy is beside the stand-in. */
export function officialCheck(
  file: string,
  name: string,
  corrections: Corrections = {},
): (body: unknown) => readonly Mismatch[] {
  const compile = () => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8')
    const { schemas } = Description.parse(JSON.parse(text)).components
    // The formats are the platforms' own names for numbers and ids.
    const validator = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
    validator.addSchema({ $id: 'official', components: { schemas: close(schemas, corrections) } })
    return validator.compile({ $ref: `official#/components/schemas/${name}` })
  }
  let compiled: ReturnType<typeof compile> | undefined
  return (body) => {
    compiled ??= compile()
    if (compiled(body)) return []
    return (compiled.errors ?? []).map(({ instancePath, message, params }) => {
      const extra: unknown = params['additionalProperty']
      const path = instancePath.split('/').slice(1)
      return {
        path: typeof extra === 'string' ? [...path, extra] : path,
        message: message ?? 'is not allowed',
      }
    })
  }
}
