import { client } from '../../../functions/client.ts'
import { makeSeed } from '../../support/seed.ts'
import type { Kit } from '../../support/start.ts'
import { serveWatched } from '../../support/watched-service.ts'

/** A minimal draft. */
const begun = { content: 'Words' }

type Workspace = Pick<Kit, 'workspaceId' | 'sessionToken' | 'accounts'>

/** A workspace and the requests for its drafts. */
const harnessFor = (kit: Kit, workspace: Workspace) => {
  const api = client({ baseUrl: kit.url, token: workspace.sessionToken, workspaceId: workspace.workspaceId })
  const make = (body: Parameters<typeof api.drafts.create>[0]['body'] = begun) => api.drafts.create({ body })
  const read = (id: string) => api.drafts.get({ params: { id } })
  const patch = (id: string, body: Parameters<typeof api.drafts.update>[0]['body'], ifMatch?: string) =>
    api.drafts.update({ params: { id }, body: body ?? {}, ...(ifMatch === undefined ? {} : { ifMatch }) })
  const remove = (id: string, ifMatch?: string) =>
    api.drafts.delete({ params: { id }, ...(ifMatch === undefined ? {} : { ifMatch }) })
  /** The raw response. */
  const raw = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const json = body === undefined ? {} : { body: JSON.stringify(body) }
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const answer = await api.$raw(method, `/api/drafts${path}`, { ...json, headers: { ...type, ...headers } })
    return {
      status: answer.status,
      etag: answer.headers.get('ETag'),
      headers: answer.headers,
      body: JSON.parse(await answer.text()),
    }
  }
  return { ...kit, ...workspace, api, make, read, patch, remove, raw }
}

export type Harness = ReturnType<typeof harnessFor>

/** One service for the tests of a file; each of them opens its own harness in it. */
export const serveHarnesses = () => {
  const { running, watch } = serveWatched()
  return {
    /** In a new workspace of the seed's person, without accounts. */
    open: async (): Promise<Harness> => {
      const { id: workspaceId } = await running().sessionApi.workspaces.create({
        body: { name: 'Desk', timezone: 'UTC' },
      })
      return harnessFor(running(), { ...running(), workspaceId, accounts: { bluesky: '', discord: '' } })
    },
    /** In another user's workspace with accounts. */
    openConnected: async (): Promise<Harness> => harnessFor(running(), await makeSeed(running().ctx)),
    /** In the workspace of the seed, which the tests of the file have in common. */
    share: (): Harness => harnessFor(running(), running()),
    watch,
  }
}
