import type * as z from 'zod/mini'
import { Fault } from '../aws-server.ts'
import { shapeFault } from './constraints.ts'

const legacy = ['AttributesToGet', 'AttributeUpdates', 'Expected', 'KeyConditions', 'QueryFilter', 'ScanFilter']

const unsupported = (names: readonly string[], input: unknown): Fault => {
  const old = names.filter((name) => legacy.includes(name))
  const expressions = Object.keys(input as object).filter((name) => name.endsWith('Expression'))
  const message =
    old.length > 0 && expressions.length > 0
      ? `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${old.join(', ')}} Expression parameters: {${expressions.join(', ')}}`
      : `The embedded table does not support: ${names.join(', ')}`
  return new Fault('ValidationException', message)
}

/** Reads an operation's input; an unsupported parameter is rejected, so that nothing is silently ignored. */
export const readStrictly = <S extends z.ZodMiniType>(shape: S, input: unknown): z.infer<S> => {
  const parsed = shape.safeParse(input)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []))
  throw shapeFault(issues, input) ?? unsupported(unknown, input)
}
