import { type Message, stateOf } from './message.ts'
import { isFifo, type Queue } from './queue.ts'

interface Group {
  id: string
  inFlight: number
  ready: Message[]
}

const maxTurns = 1_000

/** Chooses up to `max` visible messages for one receive. */
export function choose(
  queue: Queue,
  now: number,
  max: number,
  reorder: ((messages: readonly Message[]) => readonly Message[]) | undefined,
): readonly Message[] {
  if (isFifo(queue)) return chooseInOrder(queue, now, max)
  if (!reorder) return chooseFairly(queue, now, max)
  return reorder([...queue.messages.values()].filter((message) => message.visibleAt <= now)).slice(0, max)
}

/** FIFO: in the order sent. A group with a message in flight waits. */
function chooseInOrder(queue: Queue, now: number, max: number): Message[] {
  const messages = [...queue.messages.values()]
  const inFlight = new Set(
    messages.filter((message) => stateOf(message, now) === 'inFlight').map(({ groupId }) => groupId),
  )
  const chosen: Message[] = []
  for (const message of messages) {
    if (chosen.length === max) break
    if (inFlight.has(message.groupId)) continue
    if (message.visibleAt <= now) chosen.push(message)
    else inFlight.add(message.groupId)
  }
  return chosen
}

/** Standard: the group with the least in flight first, then the one served longest ago, then the oldest message. */
function chooseFairly(queue: Queue, now: number, max: number): Message[] {
  const groups = groupsOf(queue, now, max)
  const chosen: Message[] = []
  while (chosen.length < max) {
    let next: Group | undefined
    for (const group of groups.values()) {
      if (group.ready.length > 0 && (!next || goesBefore(queue, group, next))) next = group
    }
    const message = next?.ready.shift()
    if (!next || !message) break
    next.inFlight += 1
    queue.served.set(next.id, ++queue.turn)
    chosen.push(message)
  }
  if (queue.served.size > maxTurns) for (const id of queue.served.keys()) if (!groups.has(id)) queue.served.delete(id)
  return chosen
}

function goesBefore(queue: Queue, one: Group, other: Group): boolean {
  const waited = (queue.served.get(one.id) ?? 0) - (queue.served.get(other.id) ?? 0)
  const age = (one.ready[0]?.sequence ?? 0) - (other.ready[0]?.sequence ?? 0)
  return (one.inFlight - other.inFlight || waited || age) < 0
}

function groupsOf(queue: Queue, now: number, max: number): Map<string, Group> {
  const groups = new Map<string, Group>()
  for (const message of queue.messages.values()) {
    const id = message.groupId ?? ''
    const group = groups.get(id) ?? { id, inFlight: 0, ready: [] }
    groups.set(id, group)
    const state = stateOf(message, now)
    if (state === 'inFlight') group.inFlight += 1
    if (state === 'visible' && group.ready.length < max) group.ready.push(message)
  }
  return groups
}
