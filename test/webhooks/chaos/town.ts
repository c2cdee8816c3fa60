import { type Client, client } from '../../../functions/client.ts'
import { type EventType, eventTypes } from '../../../shared/events/types.ts'
import { noIdempotencyKey } from '../../../shared/http/idempotency-writes.ts'
import { createWorkspace } from '../../../shared/workspaces/create.ts'
import type { Workspace } from '../../../shared/workspaces/workspace.ts'
import type { Kit } from '../../support/start.ts'
import type { Page } from './ledger.ts'

/** An endpoint, what it wants, and what its receiver has got where that is a healthy one. */
export interface Inhabitant {
  id: string
  name: string
  events: readonly EventType[]
  page?: Page
}

export interface House {
  workspace: Pick<Workspace, 'id' | 'name' | 'slug'>
  api: Client
  healthy: Inhabitant[]
  faulty: Inhabitant[]
}

/** The type that the n-th of those who want one gets. */
export const typeFor = (n: number): EventType => eventTypes[n % eventTypes.length] ?? 'post.published'

interface Plan {
  houses: number
  healthyEach: number
  /** What the k-th endpoint of each house wants. */
  typesFor(k: number): EventType[]
}

type Ledger = { origin: string; pages: Map<string, Page> }

/** Workspaces of one person, each with so many endpoints at healthy receivers. */
export const build = async (
  { ctx, user, url, sessionToken }: Pick<Kit, 'ctx' | 'user' | 'url' | 'sessionToken'>,
  { houses, healthyEach, typesFor }: Plan,
  ledger: Ledger,
): Promise<House[]> => {
  const town: House[] = []
  for (let n = 0; n < houses; n += 1) {
    const workspace = await createWorkspace(ctx, user.id, { name: `House ${n}`, timezone: 'UTC' }, noIdempotencyKey)
    const api = client({ baseUrl: url, token: sessionToken, workspaceId: workspace.id })
    const house: House = { workspace, api, healthy: [], faulty: [] }
    for (let k = 0; k < healthyEach; k += 1) {
      const path = `/${n}/${k}`
      const body = { name: `healthy ${path}`, url: `${ledger.origin}${path}`, events: typesFor(k) }
      const { id, secret, name, events } = await api.webhooks.create({ body })
      const page: Page = { secret, arrivals: new Map(), unverified: 0 }
      ledger.pages.set(path, page)
      house.healthy.push({ id, name, events, page })
    }
    town.push(house)
  }
  return town
}

/** Gives each house its share of the faulty receivers. */
export const addFaulty = async (
  town: readonly House[],
  receivers: readonly { name: string; url: string }[],
): Promise<void> => {
  for (const [n, { name, url }] of receivers.entries()) {
    const house = town[n % town.length]
    if (!house) continue
    const { id, events } = await house.api.webhooks.create({ body: { name, url, events: [typeFor(n)] } })
    house.faulty.push({ id, name, events })
  }
}
