import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'

const require = createRequire(import.meta.url)

/** A relay of other people on 127.0.0.1, with its events in memory. */
export interface RunningRelay {
  url: string
  /** How often it was given an event that it stored. */
  stored(): number
  close(): Promise<void>
}

interface Event {
  id: string
  pubkey: string
  kind: number
  created_at: number
  tags: string[][]
}

interface Filter {
  ids?: string[]
  authors?: string[]
  kinds?: number[]
  since?: number
  until?: number
  limit?: number
}

const matches = ({ ids, authors, kinds, since = 0, until = Number.POSITIVE_INFINITY }: Filter, event: Event) =>
  (ids?.includes(event.id) ?? true) &&
  (authors?.includes(event.pubkey) ?? true) &&
  (kinds?.includes(event.kind) ?? true) &&
  event.created_at >= since &&
  event.created_at <= until

/** Starts the relay, which keeps no answers for later; with `hostname` it knows logins (NIP-42). */
export const launchRelay = async (options: { hostname?: string } = {}): Promise<RunningRelay> => {
  const { NostrRelay } = require('@nostr-relay/core')
  const { Validator } = require('@nostr-relay/validator')
  const { EventRepository } = require('@nostr-relay/common')
  const { WebSocketServer } = require('ws')
  const events = new Map<string, Event>()
  let stored = 0
  class Memory extends EventRepository {
    isSearchSupported = () => false
    upsert = async (event: Event) => {
      const isDuplicate = events.has(event.id)
      if (!isDuplicate) stored += 1
      events.set(event.id, event)
      return { isDuplicate }
    }
    find = async (filter: Filter) => {
      const all = [...events.values()].filter((event) => matches(filter, event))
      return all.toSorted((a, b) => b.created_at - a.created_at).slice(0, filter.limit ?? 500)
    }
    deleteByDeletionRequest = async ({ pubkey, tags }: Event) => {
      for (const [name, id = ''] of tags) {
        if (name === 'e' && events.get(id)?.pubkey === pubkey) events.delete(id)
      }
    }
    destroy = async () => events.clear()
  }
  const relay = new NostrRelay(new Memory(), { filterResultCacheTtl: 0, ...options })
  const validator = new Validator()
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  sockets.on(
    'connection',
    (socket: { on(name: string, act: (data: unknown) => void): void; send(text: string): void }) => {
      relay.handleConnection(socket, '127.0.0.1')
      socket.on('message', async (data) => {
        try {
          await relay.handleMessage(socket, await validator.validateIncomingMessage(data))
        } catch (error) {
          socket.send(JSON.stringify(['NOTICE', String(error)]))
        }
      })
      socket.on('close', () => relay.handleDisconnect(socket))
    },
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server's address is never a pipe's.
  const { port } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${port}`,
    stored: () => stored,
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      await new Promise((resolve) => server.close(resolve))
      await relay.destroy()
    },
  }
}
