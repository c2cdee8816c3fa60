import * as z from 'zod/mini'
import type { Route } from '../../../../functions/routes.ts'
import type { Call } from '../ask.ts'

/** A place in a route's input that takes the id of something. */
export interface Place {
  name: string
  kind: 'path' | 'query' | 'body'
  /** The call with another id in that place. */
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

/** Every place of a route's input that takes an id. */
export const placesOf = ({ endpoint: { contract } }: Route): Place[] => {
  const inPath = [...contract.path.matchAll(/\{(\w+)\}/g)]
    .map(
      ([, name = '']): Place => ({
        name,
        kind: 'path',
        put: (call, id) => ({ ...call, params: { ...call.params, [name]: id } }),
      }),
    )
    // A platform belongs to nobody.
    .filter(({ name }) => name !== 'platform')
  const inQuery = Object.keys(membersOf(contract.query))
    .filter(namesAnId)
    .map(
      (name): Place => ({
        name,
        kind: 'query',
        put: (call, id) => ({ ...call, query: { ...call.query, [name]: id } }),
      }),
    )
  const inBody = Object.entries(membersOf(contract.body))
    .filter(([name]) => namesAnId(name))
    .map(
      ([name, member]): Place => ({
        name,
        kind: 'body',
        put: (call, id) => ({ ...call, body: Object.assign({}, call.body, { [name]: shaped(typeOf(member), id) }) }),
      }),
    )
  return [...inPath, ...inQuery, ...inBody]
}
