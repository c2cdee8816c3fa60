import { dirname, extname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { type ResourceLimits, Worker } from 'node:worker_threads'
import type { ClockShift } from '../engines/clock-shift.ts'
import type { HostAnswer, HostCall, HostedFunction, HostLoad } from './host-call.ts'

/** A thread that runs bundles, each with separate variables. */
export interface Host {
  /** Loads a bundle before it is called. */
  load(file: string, plan: HostedFunction): void
  /** Returns what the bundle returns; throws its error, or that its thread ended. */
  call(file: string, plan: HostedFunction, event: unknown): Promise<unknown>
  close(): Promise<void>
}

interface Thread {
  worker: Worker
  waiting: Map<number, PromiseWithResolvers<unknown>>
}

/** In the same folder as this file, or as the bundle that has it. */
const here = import.meta.filename
const program = join(dirname(here), `host-program${extname(here)}`)

interface HostOptions {
  shift: ClockShift | undefined
  resourceLimits: ResourceLimits
  /** Receives each line that functions log, which is printed as well. */
  seeLine: ((line: string) => void) | undefined
}

const open = (name: string, { shift, resourceLimits, seeLine }: HostOptions): Thread => {
  const worker = new Worker(program, {
    env: {},
    name,
    workerData: { shared: shift?.shared },
    resourceLimits,
    stdout: seeLine !== undefined,
  })
  if (seeLine !== undefined)
    createInterface({ input: worker.stdout }).on('line', (line) => {
      process.stdout.write(`${line}\n`)
      seeLine(line)
    })
  const waiting: Thread['waiting'] = new Map()
  worker.on('message', (answer: HostAnswer) => {
    const call = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) call?.reject(answer.error)
    else call?.resolve(answer.answer)
  })
  const fail = (reason: unknown) => {
    for (const call of waiting.values()) call.reject(reason)
    waiting.clear()
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error(`the thread of the ${name} ended`)))
  return { worker, waiting }
}

/** Starts its thread when it is used first, and a new one at the first call after it died, as Lambda does an environment. */
export const makeHost = (name: string, options: HostOptions): Host => {
  let thread: Thread | undefined
  let closed = false
  let lastId = 0
  const current = (): Thread => {
    if (closed) throw new Error(`the thread of the ${name} is closed`)
    if (thread !== undefined) return thread
    const opened = open(name, options)
    const forget = () => {
      if (thread === opened) thread = undefined
    }
    // A failed thread that has not ended yet, and no longer responds.
    opened.worker.once('error', forget)
    opened.worker.once('exit', forget)
    thread = opened
    return opened
  }
  const hosted = ({ name, handlerName, memoryMb, timeoutSeconds, variables }: HostedFunction): HostedFunction => ({
    name,
    handlerName,
    memoryMb,
    timeoutSeconds,
    variables,
  })
  return {
    load(file, plan) {
      current().worker.postMessage({ file, plan: hosted(plan) } satisfies HostLoad)
    },
    async call(file, plan, event) {
      const { worker, waiting } = current()
      lastId += 1
      const answer = Promise.withResolvers<unknown>()
      waiting.set(lastId, answer)
      worker.postMessage({ id: lastId, file, plan: hosted(plan), event } satisfies HostCall)
      return answer.promise
    },
    async close() {
      closed = true
      await thread?.worker.terminate()
    },
  }
}
