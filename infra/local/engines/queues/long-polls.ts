import { setTimeoutUntil } from '../timer.ts'

interface Poll {
  queueName: string
  attempt(): void
}

interface LongPoll<Taken> {
  queueName: string
  /** When to give up, in milliseconds. */
  until: number
  gone: AbortSignal
  take(): Taken[]
  /** When something now hidden in the queue becomes visible. */
  nextDueAt(): number | undefined
}

export interface LongPolls {
  /** Answers at once when there is something to take, else as soon as there is, at latest at `until` with nothing. */
  wait<Taken>(poll: LongPoll<Taken>): Promise<Taken[]>
  /** Lets those who wait for the queue (or for any) look again, longest waiting first. */
  wake(queueName?: string): void
  /** Answers everyone with nothing. */
  close(): void
}

/** Holds the receivers that wait for a message. */
export function createLongPolls(now: () => number): LongPolls {
  const polls = new Set<Poll>()
  let closed = false

  function wait<Taken>({ queueName, until, gone, take, nextDueAt }: LongPoll<Taken>): Promise<Taken[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Taken[]>()
    let timer: NodeJS.Timeout | undefined
    const poll: Poll = {
      queueName,
      attempt() {
        clearTimeout(timer)
        try {
          const over = closed || gone.aborted
          const taken = over ? [] : take()
          if (taken.length === 0 && !over && now() < until) {
            timer = setTimeoutUntil(Math.min(until, nextDueAt() ?? until), now, poll.attempt)
            return
          }
          resolve(taken)
        } catch (error) {
          reject(error)
        }
        polls.delete(poll)
        gone.removeEventListener('abort', poll.attempt)
      },
    }
    polls.add(poll)
    gone.addEventListener('abort', poll.attempt, { once: true })
    poll.attempt()
    return promise
  }

  function attemptAll(queueName?: string): void {
    for (const poll of [...polls]) if (queueName === undefined || poll.queueName === queueName) poll.attempt()
  }

  return {
    wait,
    wake(queueName) {
      // Taking changes queues too: looking again in the midst of it would take twice for one request.
      queueMicrotask(() => attemptAll(queueName))
    },
    close() {
      closed = true
      attemptAll()
    },
  }
}
