import { type Client, client } from '../../../functions/client.ts'
import type { CreateCollectionRequest, UpdateCollectionRequest } from '../../../shared/memory/requests.ts'
import { countKeys } from '../../../shared/resources.ts'
import type { Kit } from '../../support/start.ts'
import { serveWatched } from '../../support/watched-service.ts'
import { makeMember } from '../../support/world/preparations.ts'
import { scanTable } from '../../support/world/rows.ts'

/** A new workspace of the seed's person, and whom they take into it. */
const openNotes = async (kit: Kit) => {
  const { id: workspaceId } = await kit.sessionApi.workspaces.create({ body: { name: 'Notes', timezone: 'UTC' } })
  const inside = (token: string): Client => client({ baseUrl: kit.url, token, workspaceId })
  const api = inside(kit.sessionToken)
  const join = async (role: 'admin' | 'member' = 'member') => {
    const { session, userId } = await makeMember({ ...kit, workspaceId }, role)
    return { userId, session, api: inside(session) }
  }
  const collect = (over: Partial<CreateCollectionRequest> = {}, by = api) =>
    by.memory.createCollection({ body: { name: 'Notes', ...over } })
  const remember = (collectionId: string, text = 'A thought', by = api) =>
    by.memory.create({ body: { text, collectionId } })
  const forget = ({ id, collectionId }: { id: string; collectionId: string }, by = api) =>
    by.memory.delete({ params: { id }, body: { collectionId } })
  const list = (collectionId: string, by = api) => by.memory.list({ query: { collectionId } })
  const get = (id: string, by = api) => by.memory.getCollection({ params: { id } })
  const change = (id: string, body: UpdateCollectionRequest, by = api) =>
    by.memory.updateCollection({ params: { id }, body })
  const drop = (id: string, by = api) => by.memory.deleteCollection({ params: { id } })
  /** Sends a body unchanged; returns the error message. */
  const send = async (method: string, path: string, body?: string) => {
    const headers = { 'Content-Type': 'application/json' }
    const answer = await api.$raw(method, path, body === undefined ? {} : { headers, body })
    const { field } = JSON.parse(await answer.text())
    return { status: answer.status, field }
  }
  /** What the table holds of a collection: its row, its memories, whatever else names it. */
  const tracesOf = async (collectionId: string) =>
    (await scanTable(kit)).filter((row) => JSON.stringify(row).includes(collectionId))
  return { ...kit, workspaceId, api, inside, join, collect, remember, forget, list, get, change, drop, send, tracesOf }
}

export type Notes = Awaited<ReturnType<typeof openNotes>>

/** One service for the tests of a file; each test works in its own workspace. */
export const startMemoryService = () => {
  const { running, watch } = serveWatched()
  const open = (): Promise<Notes> => openNotes(running())
  /** Does something else just before a function writes, once. */
  const before = async <T>(functionName: string, act: () => Promise<unknown>, run: () => Promise<T>): Promise<T> => {
    let waiting = true
    return watch(async (effect, write) => {
      const { action, resource } = effect
      const isWrite = action === 'TransactWriteItems' || (action === 'UpdateItem' && !resource.endsWith(countKeys))
      if (waiting && isWrite && effect.functionName === functionName) {
        waiting = false
        await act()
      }
      return write()
    }, run)
  }
  return { open, watch, before }
}
