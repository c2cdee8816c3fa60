import { join } from 'node:path'
import { Fault, readInput, runOperation, serveAws } from './aws-server.ts'
import { putEntry } from './bus/entry.ts'
import { BusEvent, PutEventsInput } from './bus/shapes.ts'
import type { Engine, EngineOptions } from './engine.ts'
import { openRows } from './stored-rows.ts'

export type { BusEvent } from './bus/shapes.ts'

/** How the bus is to fail. */
export interface BusFaults {
  /** The error code of an entry that is rejected while others are accepted; undefined accepts it. */
  onEntry?: ((detailType: string) => string | undefined) | undefined
  /** Rejects whole calls. */
  down?: boolean | undefined
}

export interface Bus extends Engine {
  readonly faults: BusFaults
  /** Declares a bus. */
  create(name: string): void
  /** The events on the buses, as a rule's target would get them, oldest first; the newest 20,000 are retained. */
  events(): readonly BusEvent[]
}

const maxEvents = 20_000

/** EventBridge's PutEvents on 127.0.0.1: events are stored for inspection; it has no rules and no targets. */
export async function startBus({ folder, isDurable, ...options }: EngineOptions): Promise<Bus> {
  const rows = openRows(folder && join(folder, 'bus.sqlite'), isDurable)
  const taken = rows.map<string, typeof BusEvent>('events', BusEvent)
  const names = new Set(['default'])
  const faults: BusFaults = {}

  const putEvents = (input: unknown) => {
    if (faults.down) throw new Fault('InternalException', 'The bus is down.')
    const { Entries } = readInput(PutEventsInput, input)
    const results = Entries.map((entry) =>
      putEntry(entry, names, options.clock.now(), faults.onEntry?.(entry.DetailType ?? '')),
    )
    const events = results.flatMap(({ event }) => event ?? [])
    for (const event of events) taken.set(event.id, event)
    for (const oldest of taken.keys()) {
      if (taken.size <= maxEvents) break
      taken.delete(oldest)
    }
    if (events.length > 0) rows.save()
    return { FailedEntryCount: results.length - events.length, Entries: results.map(({ answer }) => answer) }
  }

  const engine = await serveAws(options, (request) => runOperation({ PutEvents: putEvents }, request))
  return {
    url: engine.url,
    faults,
    create: (name) => void names.add(name),
    events: () => [...taken.values()],
    async close() {
      await engine.close()
      rows.close()
    },
  }
}
