import { type Kit, start } from './start.ts'
import { startTableWire } from './table-wire.ts'

type Wire = Awaited<ReturnType<typeof startTableWire>>

export interface WiredKit extends Kit {
  wire: Wire
}

/** A service with a wire between it and its table, which the test can break. Closing ends both. */
export const startWired = async (): Promise<WiredKit> => {
  const opened = Promise.withResolvers<Wire>()
  const kit = await start({
    tableThrough: async (table) => {
      const wire = await startTableWire(table)
      opened.resolve(wire)
      return wire.endpoint
    },
  })
  const wire = await opened.promise
  const close = async () => {
    await kit.close()
    wire.close()
  }
  return { ...kit, wire, close }
}
