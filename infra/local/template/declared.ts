import * as z from 'zod/mini'
import type { Physical } from './physical.ts'
import type { Resolver } from './resolve.ts'
import type { Stack } from './stack.ts'

/** One resource of a template, with the names it has in the local service. */
export interface Declared extends Physical {
  /** Its properties in this shape; properties that the shape does not name are not resolved either. */
  read<Shape extends z.core.$ZodShape>(shape: z.ZodMiniObject<Shape>): z.infer<z.ZodMiniObject<Shape>>
}

/** Every resource of these types, in all stacks. */
export type Find = (...types: readonly string[]) => Declared[]

export const findIn =
  (stacks: readonly Stack[], resolver: Resolver): Find =>
  (...types) =>
    stacks.flatMap((stack) =>
      Object.entries(stack.Resources)
        .filter(([, { Type }]) => types.includes(Type))
        .map(([id, { Properties }]) => ({
          ...resolver.physical(stack, id),
          read(shape) {
            const names = Object.keys(shape.shape).filter((name) => Properties[name] !== undefined)
            return z.parse(
              shape,
              Object.fromEntries(names.map((name) => [name, resolver.resolve(stack, Properties[name])])),
            )
          },
        })),
    )
