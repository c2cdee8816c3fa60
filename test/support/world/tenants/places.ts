import * as z from 'zod/mini'
import type { Route } from '../../../../functions/routes.ts'
import type { Call } from '../ask.ts'

/** A parameter of a route that takes an id. */
export interface IdLocation {
  name: string
  kind: 'path' | 'query' | 'body'
  /** The call with another id in that parameter. */
  put(call: Call, id: string): Call
}

/** `externalId` is the caller's own text, which names nothing here. */
const namesAnId = (name: string) =>
  name !== 'externalId' && /^id$|Ids?$|^(?:cursor|mediaUrls|platformMedia|storageKey)$/.test(name)

interface Member {
  type?: unknown
  $ref?: unknown
  anyOf?: readonly { type?: unknown }[]
}
type Members = Readonly<Record<string, Member | undefined>>

/** What a member is when it is not null. */
const typeOf = (member: Member | undefined): unknown =>
  member?.type ?? member?.anyOf?.find(({ type }) => type !== 'null')?.type

const membersOf = (schema: z.ZodMiniType | undefined): Members => {
  if (schema === undefined) return {}
  const { properties = {}, $ref, $defs = {} } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const named = typeof $ref === 'string' ? $defs[$ref.slice('#/$defs/'.length)]?.properties : undefined
  // Only what a member takes matters here.
  return (named ?? properties) as Members
}

/** An id as a member of this type holds it. */
const shaped = (type: unknown, id: string): unknown => {
  if (type === 'array') return [id]
  return type === 'object' ? { bluesky: [id] } : id
}

/** All parameters of a route that take an id. */
export const idLocationsOf = ({ endpoint: { contract } }: Route): IdLocation[] => {
  const inPath = [...contract.path.matchAll(/\{(\w+)\}/g)]
    .map(
      ([, name = '']): IdLocation => ({
        name,
        kind: 'path',
        put: (call, id) => ({ ...call, params: { ...call.params, [name]: id } }),
      }),
    )
    // A platform belongs to no tenant.
    .filter(({ name }) => name !== 'platform')
  const inQuery = Object.keys(membersOf(contract.query))
    .filter(namesAnId)
    .map(
      (name): IdLocation => ({
        name,
        kind: 'query',
        put: (call, id) => ({ ...call, query: { ...call.query, [name]: id } }),
      }),
    )
  const inBody = Object.entries(membersOf(contract.body))
    .filter(([name]) => namesAnId(name))
    .map(
      ([name, member]): IdLocation => ({
        name,
        kind: 'body',
        put: (call, id) => ({ ...call, body: Object.assign({}, call.body, { [name]: shaped(typeOf(member), id) }) }),
      }),
    )
  return [...inPath, ...inQuery, ...inBody]
}
