import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import type { Board } from './board.ts'
import { read } from './caller.ts'

const Deliveries = z.array(z.object({ endpoint: z.string(), rawBody: z.string(), verified: z.boolean() }))
const Event = z.object({ id: z.string(), type: z.string(), data: z.object({ postId: z.optional(z.string()) }) })

const lookEveryMs = 300

/** An expected event, and its recipient. */
interface Expected {
  postId: string
  type: string
  name: string
}

const listReceived = async (inboxUrl: string, endpoint: string) =>
  (await read(`${inboxUrl}/deliveries`, Deliveries))
    .filter((delivery) => delivery.endpoint === endpoint)
    .map(({ rawBody, verified }) => ({ verified, event: z.parse(Event, JSON.parse(rawBody)) }))

/** Shows the deliveries of these events as they arrive; returns those that did not arrive, or could not be verified. */
export const watchEvents = async (
  inboxUrl: string,
  endpoint: string,
  expected: readonly Expected[],
  untilMs: number,
  board: Board,
): Promise<string[]> => {
  const open = new Set(expected)
  const problems: string[] = []
  const settle = (awaited: Expected, sign: string, what: string) => {
    board.show(`${awaited.postId} ${awaited.type}`, `  ${sign} ${awaited.name}  ${awaited.type.padEnd(14)}  ${what}`)
    open.delete(awaited)
  }
  while (open.size > 0 && Date.now() < untilMs) {
    const received = await listReceived(inboxUrl, endpoint)
    for (const one of open) {
      const delivery = received.find(({ event }) => event.type === one.type && event.data.postId === one.postId)
      if (delivery?.verified) settle(one, '✓', `signature verified, event ${delivery.event.id}`)
      else if (delivery) {
        settle(one, '✗', 'the signature is wrong')
        problems.push(`${one.name.trim()}: the signature of ${one.type} is wrong.`)
      }
    }
    await sleep(lookEveryMs)
  }
  for (const one of open) {
    settle(one, '✗', 'no delivery came')
    problems.push(`${one.name.trim()}: no delivery of ${one.type} came.`)
  }
  return problems
}
