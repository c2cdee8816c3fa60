import * as z from 'zod/mini'
import type { Guard } from '../iam/guard.ts'
import type { JsonAnswer, JsonRequest } from '../iam/json.ts'
import type { Engine } from './engine.ts'
import { startJsonServer } from './json-server.ts'

/** An error with the message text of AWS; `type` is the exception that the SDK throws. */
export class Fault extends Error {
  readonly type: string

  constructor(type: string, message: string) {
    super(message)
    this.type = type
  }
}

export const invalid = (message: string) => new Fault('ValidationException', message)

export interface AwsRequest {
  method: string
  path: string
  /** `<Service>.<Operation>` in the JSON 1.1 protocol. */
  target: string
  body: unknown
}

/**
 * Serves a JSON protocol of AWS on 127.0.0.1: a value that `answer` returns is a 200, an error that it throws is AWS's error
 * body.
 */
export const serveAws = (
  { port = 0, guard }: { port?: number; guard?: Guard | undefined },
  answer: (request: AwsRequest) => object | Promise<object>,
): Promise<Engine> => {
  const respond = async ({ method, path, headers, body = {} }: JsonRequest): Promise<JsonAnswer> => {
    try {
      const target = String(headers['x-amz-target'] ?? '')
      return { status: 200, body: await answer({ method, path, target, body }) }
    } catch (error) {
      return refuse(error)
    }
  }
  return startJsonServer(port, 'application/x-amz-json-1.1', respond, guard)
}

export type Operations = Record<string, (input: unknown) => object>

/** Runs the operation that the request names. */
export function runOperation(operations: Operations, { target, body }: AwsRequest): object {
  const name = target.slice(target.indexOf('.') + 1)
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined
  if (!operation) throw new Fault('UnknownOperationException', `Operation ${target} is not known here.`)
  return operation(body)
}

/** Reads an operation's input; input of the wrong shape is rejected as AWS rejects it. */
export function readInput<S extends z.ZodMiniType>(shape: S, input: unknown, type = 'ValidationException'): z.infer<S> {
  const parsed = shape.safeParse(input)
  if (!parsed.success) throw new Fault(type, z.prettifyError(parsed.error))
  return parsed.data
}

function refuse(error: unknown): JsonAnswer {
  const message = error instanceof Error ? error.message : String(error)
  const { status, type } =
    error instanceof Fault ? { status: 400, type: error.type } : { status: 500, type: 'InternalFailure' }
  return { status, headers: { 'x-amzn-errortype': type }, body: { __type: type, message } }
}
