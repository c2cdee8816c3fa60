import { type Client, client } from '../../../functions/client.ts'
import { type EventType, eventTypes } from '../../../shared/events/types.ts'
import { createWorkspace } from '../../../shared/workspaces/create.ts'
import type { Workspace } from '../../../shared/workspaces/workspace.ts'
import type { Kit } from '../../support/start.ts'
import { tester } from '../../support/tester.ts'
import type { Page } from './ledger.ts'

/** An endpoint, its event types, and what its receiver got if it is healthy. */
export interface TenantEndpoint {
  id: string
  name: string
  events: readonly EventType[]
  page?: Page
}

export interface Tenant {
  workspace: Pick<Workspace, 'id' | 'name' | 'slug'>
  api: Client
  healthy: TenantEndpoint[]
  faulty: TenantEndpoint[]
}

/** The type that the n-th of those who want one gets. */
export const typeFor = (n: number): EventType => eventTypes[n % eventTypes.length] ?? 'post.published'

interface Plan {
  tenantCount: number
  healthyEach: number
  /** The types of the k-th endpoint of each tenant. */
  typesFor(k: number): EventType[]
}

type Ledger = { origin: string; pages: Map<string, Page> }

/** Workspaces of one person, each with so many endpoints at healthy receivers. */
export const build = async (
  { ctx, user, url, sessionToken }: Pick<Kit, 'ctx' | 'user' | 'url' | 'sessionToken'>,
  { tenantCount, healthyEach, typesFor }: Plan,
  ledger: Ledger,
): Promise<Tenant[]> => {
  const tenants: Tenant[] = []
  for (let n = 0; n < tenantCount; n += 1) {
    const workspace = await createWorkspace(ctx, user.id, { name: `Tenant ${n}`, timezone: 'UTC' }, tester)
    const api = client({ baseUrl: url, token: sessionToken, workspaceId: workspace.id })
    const tenant: Tenant = { workspace, api, healthy: [], faulty: [] }
    for (let k = 0; k < healthyEach; k += 1) {
      const path = `/${n}/${k}`
      const body = { name: `healthy ${path}`, url: `${ledger.origin}${path}`, events: typesFor(k) }
      const { id, secret, name, events } = await api.webhooks.create({ body })
      const page: Page = { secret, arrivals: new Map(), unverified: 0 }
      ledger.pages.set(path, page)
      tenant.healthy.push({ id, name, events, page })
    }
    tenants.push(tenant)
  }
  return tenants
}

/** Gives each tenant its share of the faulty receivers. */
export const addFaulty = async (
  tenants: readonly Tenant[],
  receivers: readonly { name: string; url: string }[],
): Promise<void> => {
  for (const [n, { name, url }] of receivers.entries()) {
    const tenant = tenants[n % tenants.length]
    if (!tenant) continue
    const { id, events } = await tenant.api.webhooks.create({ body: { name, url, events: [typeFor(n)] } })
    tenant.faulty.push({ id, name, events })
  }
}
