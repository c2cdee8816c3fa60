import * as z from 'zod/mini'

/**
 * The schema with a description for the API reference. It is a copy: a schema that several fields share can carry a
 * separate text in each.
 */
export const described = <T extends z.ZodMiniType>(
  schema: T,
  description: string,
  more: Readonly<Record<string, unknown>> = {},
): T => {
  const copy = schema.clone(undefined, { parent: true })
  z.globalRegistry.add(copy, { ...more, description })
  return copy
}
