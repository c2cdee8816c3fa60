import * as z from 'zod/mini'
import type { Broker } from './broker.ts'
import { QueueRefusal, refuseMissing } from './refusal.ts'

export type Operation = (broker: Broker, input: unknown, gone: AbortSignal) => object | Promise<object>

/** One SQS operation: parses its input, then runs. */
export function operation<Shape extends z.ZodMiniType>(
  shape: Shape,
  run: (broker: Broker, input: z.output<Shape>, gone: AbortSignal) => object | Promise<object>,
): Operation {
  return (broker, input, gone) => {
    const parsed = z.safeParse(shape, input, { reportInput: true })
    if (parsed.success) return run(broker, parsed.data, gone)
    const [issue] = parsed.error.issues
    const parameter = issue?.path.join('.') ?? ''
    if (issue?.input === undefined) throw refuseMissing(parameter)
    throw new QueueRefusal('SerializationException', `${parameter}: ${issue.message}`)
  }
}
