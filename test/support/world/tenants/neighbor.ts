import { client } from '../../../../functions/client.ts'
import { routes } from '../../../../functions/routes.ts'
import type { Item } from '../../../../shared/db/table.ts'
import { makeSeed } from '../../seed.ts'
import type { Kit } from '../../start.ts'
import { callRoute } from '../ask.ts'
import { happyCall } from '../happy-calls.ts'

/** Another user with their own workspace, in which everything has been done once. */
export const makeNeighbor = async (kit: Kit): Promise<Kit> => {
  const seed = await makeSeed(kit.ctx)
  const here = { baseUrl: kit.url, workspaceId: seed.workspaceId }
  const neighbor: Kit = {
    ...kit,
    ...seed,
    api: client({ ...here, token: seed.pat }),
    sessionApi: client({ ...here, token: seed.sessionToken }),
  }
  for (const route of routes) {
    const { status, text } = await callRoute(kit.url, route, await happyCall(route, neighbor))
    if (status >= 400) throw new Error(`${route.operation} answers ${status}: ${text}`)
  }
  return neighbor
}

/** Whether a row is about a person: it names them or their workspace. */
export const isAbout =
  ({ user, workspaceId }: Kit) =>
  (row: Item): boolean => {
    const text = JSON.stringify(row)
    return text.includes(workspaceId) || text.includes(user.id)
  }

/** What a platform or an integrator calls an account can be the same in several workspaces. */
const isIdName = (name: string) =>
  /^(?:id|storageKey|slug)$|Id$/.test(name) && !/^(?:external|integrator)Id$/.test(name)

const idsOf = ({ SK, userId, id, ...row }: Item): [name: string, id: string][] => {
  const named = Object.entries({ ...row, userId, id }).filter(([name]) => isIdName(name))
  // A sort key may end with the id; a token goes by its person and its own id.
  const more = [
    ['SK', /#(.*)$/.exec(String(SK))?.[1]],
    ['token', typeof userId === 'string' && typeof id === 'string' ? userId + id : undefined],
  ]
  // A row may be of a month.
  return [...named, ...more].flatMap(([name, value]) =>
    typeof value === 'string' && value.length >= 4 && !/^\d{4}-\d\d$/.test(value) ? [[String(name), value]] : [],
  )
}

/** Ids in rows, at most so many of each kind: of the workspace and its people, of every entity, and of their references. */
export const idsIn = (rows: readonly Item[], maxOfKind: number): string[] => {
  const all = rows.flatMap((row) => idsOf(row).map(([name, id]) => ({ kind: `${row['type']} ${name}`, id })))
  const byKind = Map.groupBy(all, ({ kind }) => kind)
  const some = [...byKind.values()].flatMap((ids) => [...new Set(ids.map(({ id }) => id))].slice(0, maxOfKind))
  return [...new Set(some)]
}

const classes = ['0123456789', 'ABCDEFGHJKMNPQRSTVWXYZ', 'abcdefghijklmnopqrstuvwxyz']

const following = (letter: string) => {
  const all = classes.find((letters) => letters.includes(letter)) ?? letter
  return all[(all.indexOf(letter) + 1) % all.length] ?? letter
}

/** An id of the same form that nothing has. */
export const unlike = (id: string): string => id.slice(0, -4) + id.slice(-4).replace(/./g, following)
