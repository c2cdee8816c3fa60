import { join } from 'node:path'
import type { JsonAnswer, JsonRequest } from '../iam/json.ts'
import type { EngineOptions, TimedEngine } from './engine.ts'
import { startJsonServer } from './json-server.ts'
import { type Book, openBook, type ScheduleFaults } from './schedules/book.ts'
import { attempt, type Deliver, fireDue, nextDueAt } from './schedules/firing.ts'
import { ScheduleRefusal } from './schedules/refusal.ts'
import type { Operation } from './schedules/request.ts'
import * as schedules from './schedules/schedule-operations.ts'
import { openRows } from './stored-rows.ts'
import { setTimeoutUntil } from './timer.ts'

export type { Delivery } from './schedules/delivery.ts'

/** The local EventBridge Scheduler. */
export interface Schedules extends TimedEngine {
  readonly faults: ScheduleFaults
  /** Fires all that is due now and resolves when every delivery under way has succeeded or failed. */
  tick(): Promise<void>
}

const routes: readonly (readonly [method: string, path: RegExp, operation: Operation])[] = [
  ['POST', /^\/schedules\/([^/]+)$/, schedules.createSchedule],
  ['GET', /^\/schedules\/([^/]+)$/, schedules.getSchedule],
  ['DELETE', /^\/schedules\/([^/]+)$/, schedules.deleteSchedule],
  ['POST', /^\/schedule-groups\/([^/]+)$/, schedules.createScheduleGroup],
]

/** Starts a Scheduler endpoint (REST JSON); `deliver` invokes the resolved targets, and throws if that fails. */
export async function startSchedules(options: EngineOptions & { deliver: Deliver }): Promise<Schedules> {
  const { clock, port = 0, folder, isDurable, deliver, guard } = options
  const rows = openRows(folder && join(folder, 'schedules.sqlite'), isDurable)
  const now = () => clock.now()
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const book: Book = {
    ...openBook(rows),
    now,
    running: new Map(),
    faults: {},
    changed() {
      if (closed) return
      // First, so that a full disk does not keep anything from firing.
      setTimer()
      rows.save()
    },
  }

  function report(error: unknown): void {
    console.error(`The local schedules could not be written, and are tried again: ${String(error)}`)
  }

  function setTimer(): void {
    clearTimeout(timer)
    const dueAt = nextDueAt(book)
    if (dueAt !== undefined) timer = setTimeoutUntil(dueAt, now, () => void tick().catch(report))
  }

  async function tick(): Promise<void> {
    fireDue(book)
    for (const invocation of book.invocations.values()) {
      if (invocation.dueAt > now() || book.running.has(invocation.id)) continue
      const delivered = attempt(book, invocation, deliver).then(() => {
        book.running.delete(invocation.id)
        book.changed()
      })
      book.running.set(invocation.id, delivered)
    }
    book.changed()
    await Promise.all(book.running.values())
  }

  const server = await startJsonServer(port, 'application/json', async (request) => answer(book, request), guard)
  setTimer()
  return {
    url: server.url,
    faults: book.faults,
    tick,
    nextDueAt: () => nextDueAt(book),
    async close() {
      // A delivery in flight stays in the state and is repeated after the next start.
      closed = true
      clearTimeout(timer)
      await server.close()
      rows.close()
    },
  }
}

function answer(book: Book, { method, path, query, body }: JsonRequest): JsonAnswer {
  try {
    for (const [routeMethod, pattern, operation] of routes) {
      const name = pattern.exec(path)?.[1]
      if (routeMethod !== method || name === undefined) continue
      return { status: 200, body: operation(book, { name: decodeURIComponent(name), query, body: body ?? {} }) }
    }
    throw new ScheduleRefusal('ValidationException', `The local scheduler does not serve ${method} ${path}.`)
  } catch (error) {
    if (!(error instanceof ScheduleRefusal)) throw error
    return { status: error.status, headers: { 'x-amzn-errortype': error.type }, body: { Message: error.message } }
  }
}
