import { setTimeoutUntil } from '../timer.ts'

interface Poll {
  queueName: string
  /** Whether it continues to wait. */
  attempt(): boolean
}

interface LongPoll<Taken> {
  queueName: string
  /** When to give up, in milliseconds. */
  until: number
  gone: AbortSignal
  take(): Taken[]
  /** When a hidden message in the queue becomes visible. */
  nextDueAt(): number | undefined
}

export interface LongPolls {
  /**
   * Returns immediately if a message is available, otherwise as soon as one arrives, and at `until` at the latest with none.
   */
  wait<Taken>(poll: LongPoll<Taken>): Promise<Taken[]>
  /** Lets the receivers that wait for the queue (or for any) look again, longest waiting first. */
  wake(queueName?: string): void
  /** Answers all receivers with nothing. */
  close(): void
}

/**
 * Holds the receivers that wait for a message. Of those of a queue only the one that waits longest looks again: if it finds
 * nothing, no other would.
 */
export function createLongPolls(now: () => number): LongPolls {
  const polls = new Set<Poll>()
  let closed = false

  const firstOf = (queueName: string): Poll | undefined => {
    for (const poll of polls) if (poll.queueName === queueName) return poll
    return undefined
  }

  function wait<Taken>({ queueName, until, gone, take, nextDueAt }: LongPoll<Taken>): Promise<Taken[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Taken[]>()
    let timer: NodeJS.Timeout | undefined
    const end = () => {
      polls.delete(poll)
      gone.removeEventListener('abort', look)
    }
    const poll: Poll = {
      queueName,
      attempt() {
        clearTimeout(timer)
        try {
          const over = closed || gone.aborted
          const taken = over ? [] : take()
          if (taken.length === 0 && !over && now() < until) {
            const dueAt = firstOf(queueName) === poll ? nextDueAt() : undefined
            timer = setTimeoutUntil(Math.min(until, dueAt ?? until), now, look)
            return true
          }
          resolve(taken)
        } catch (error) {
          reject(error)
        }
        end()
        return false
      },
    }
    const look = () => {
      // The first receiver looks when the next message becomes visible.
      if (!poll.attempt()) attemptAll(queueName)
    }
    polls.add(poll)
    gone.addEventListener('abort', look, { once: true })
    poll.attempt()
    return promise
  }

  function attemptAll(queueName?: string): void {
    const waiting = new Set<string>()
    for (const poll of [...polls]) {
      const isMeant = queueName === undefined || poll.queueName === queueName
      if (isMeant && (closed || !waiting.has(poll.queueName)) && poll.attempt()) waiting.add(poll.queueName)
    }
  }

  return {
    wait,
    wake(queueName) {
      // Receiving also changes queues: looking again in the middle of it would receive twice for one request.
      queueMicrotask(() => attemptAll(queueName))
    },
    close() {
      closed = true
      attemptAll()
    },
  }
}
