import type { Context } from '../context.ts'
import { batchGet } from '../db/table.ts'
import type { Event } from '../events/event.ts'
import { socialAccounts } from './social-account.ts'

/** The account that an event is about, itself or by a post; undefined for another event. */
const accountOf = ({ workspace, data: { socialAccountId: id } }: Event) =>
  typeof id === 'string' ? { workspaceId: workspace.id, id } : undefined

/**
 * Selects the events about accounts that belong to a customer now, and about posts to them. It reads the accounts of the
 * events, each once in a request: their workspaces can be the child workspaces of an application.
 */
export const eventsOfOwner = (ctx: Context, integratorId: string) => {
  const owners = new Map<string, unknown>()
  return async (events: readonly Event[]): Promise<ReadonlySet<Event>> => {
    const unread = events.flatMap((event) => accountOf(event) ?? []).filter(({ id }) => !owners.has(id))
    const rows = await batchGet(ctx, unread.map(socialAccounts.key))
    // One attribute of the row, so that an account of a newer release hides no events.
    for (const key of unread) owners.set(key.id, rows.item(socialAccounts.key(key))?.['integratorId'])
    return new Set(events.filter((event) => owners.get(accountOf(event)?.id ?? '') === integratorId))
  }
}
