import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DecryptCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Item as StoredItem } from '../../infra/local/engines/table/value.ts'
import { type Item, keyOf, put } from '../../shared/db/table.ts'
import type { Kit } from '../support/start.ts'
import { scanTable } from '../support/world/rows.ts'

/** The file of the recorded rows, one in each line. */
export const record = 'released-table.jsonl'

/** A row as JSON: bytes, and data keys without what encrypts them, are objects of one member. */
type Recorded = Item

const isPacked = (value: unknown): value is { $bytes?: string; $dataKey?: string } =>
  typeof value === 'object' && value !== null && ('$bytes' in value || '$dataKey' in value)

const isBytes = (value: unknown) => value instanceof Uint8Array

/** Whose data key a row holds, as it is bound by KMS (shared/aws/keys.ts). */
const holderOf = ({ type, id, userId }: Item) => {
  if (type === 'ServerApp') return { serverId: id }
  return type === 'Workspace' ? { workspaceId: id } : { userId }
}

const keysOf = ({ ctx }: Kit, row: Item) => ({
  client: new KMSClient({}),
  bound: { KeyId: ctx.env('DATA_KEY_ID'), EncryptionContext: holderOf(row) as Record<string, string> },
})

/** What the service listens on, and its name in the record. */
const hostsOf = ({ service }: Kit): [url: string, name: string][] => [
  [service.baseUrl, 'http://api.recorded'],
  [service.inboxUrl, 'http://inbox.recorded'],
  [service.mediaUrl, 'http://media.recorded'],
  [service.platformsUrl, 'http://platforms.recorded'],
  [service.pushUrl, 'http://push.recorded'],
]

/** What else listened is gone: the port of the discard protocol, which `fetch` rejects. */
const withoutPorts = (kit: Kit, text: string) =>
  hostsOf(kit)
    .reduce((done, [url, name]) => done.replaceAll(url, name), text)
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://127.0.0.1:9')

const withPorts = (kit: Kit, text: string) =>
  hostsOf(kit).reduce((done, [url, name]) => done.replaceAll(name, url), text)

const writeRow = async (kit: Kit, row: Item): Promise<Recorded> => {
  const bytes = (_: string, value: unknown) =>
    value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value
  const written = JSON.parse(withoutPorts(kit, JSON.stringify(row, bytes))) as Recorded
  if (typeof row['dataKey'] !== 'string') return written
  const { client, bound } = keysOf(kit, row)
  const CiphertextBlob = Buffer.from(row['dataKey'], 'base64')
  const { Plaintext = new Uint8Array() } = await client.send(new DecryptCommand({ ...bound, CiphertextBlob }))
  return { ...written, dataKey: { $dataKey: Buffer.from(Plaintext).toString('base64') } }
}

const readRow = async (kit: Kit, recorded: Recorded): Promise<Item> => {
  const bytes = (_: string, value: unknown) =>
    isPacked(value) && value.$bytes !== undefined ? Buffer.from(value.$bytes, 'base64') : value
  const row = JSON.parse(withPorts(kit, JSON.stringify(recorded)), bytes) as Item
  const { dataKey } = row
  if (!isPacked(dataKey) || dataKey.$dataKey === undefined) return row
  const { client, bound } = keysOf(kit, row)
  const Plaintext = Buffer.from(dataKey.$dataKey, 'base64')
  const { CiphertextBlob = new Uint8Array() } = await client.send(new EncryptCommand({ ...bound, Plaintext }))
  return { ...row, dataKey: Buffer.from(CiphertextBlob).toString('base64') }
}

/** Fields with the words of an enumeration. */
const enumerated = new Set([
  ...['action', 'cause', 'channel', 'eventType', 'job', 'kind', 'outcome', 'platform', 'reason', 'role', 'scope'],
  ...['state', 'status', 'targetType'],
])

/** Names that are made of ids, such as those of counters, are one name. */
const general = (name: string) => (/[:#\d]/.test(name) ? '*' : name)

/** The type of a row; counters have none, and are of the kind in their key. */
const kindOf = ({ type, PK }: Item) => String(type ?? /#COUNT#([A-Z]+)/.exec(String(PK))?.[0])

const marksIn = (path: string, value: unknown): string[] => {
  if (value === null) return [`${path} null`]
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => marksIn(`${path}[]`, item))]
  if (typeof value === 'object' && !isBytes(value) && !isPacked(value))
    return [path, ...Object.entries(value).flatMap(([name, entry]) => marksIn(`${path}.${general(name)}`, entry))]
  const isIdentifier = typeof value === 'string' && /^[a-z][\w.-]*$/.test(value)
  return isIdentifier && enumerated.has(path.slice(path.lastIndexOf('.') + 1)) ? [path, `${path} ${value}`] : [path]
}

/**
 * What a reader can find in each row: attributes at any depth, words of enumerations, and attributes that another row
 * of the type has and this one lacks.
 */
export const marksOf = (rows: readonly Item[]): Map<Item, string[]> => {
  const namesOf = ({ PK: _, SK: __, type: ___, ...row }: Item) => Object.keys(row).map(general)
  const all = Map.groupBy(rows, kindOf)
  const names = new Map([...all].map(([kind, own]) => [kind, new Set(own.flatMap(namesOf))]))
  const marks = (row: Item) => {
    const { PK: _, SK: __, type: ___, ...fields } = row
    const own = new Set(namesOf(row))
    const lacking = [...(names.get(kindOf(row)) ?? [])].filter((name) => !own.has(name))
    return [...marksIn('', fields), ...lacking.map((name) => `.${name} lacking`)]
  }
  return new Map(rows.map((row) => [row, [...new Set(marks(row))].map((mark) => `${kindOf(row)} ${mark}`)]))
}

export const nameOf = (row: Item) => Object.values(keyOf(row)).join(' ')

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return value.split('#')
  return typeof value === 'object' && value !== null && !isBytes(value) ? Object.values(value).flatMap(textsIn) : []
}

/** Types of which many rows are about one subject: no other row needs them. */
const followers = new Set(['Delivery', 'Push', 'Alert', 'AlertTopic', 'Notice', 'Session', 'AccessToken'])

/** The ids with which others refer to a row; a workspace comes with its owner, and a person with their memberships. */
const idsOf = ({ type, id, email, workspaceId, userId, role, PK }: Item): unknown[] => {
  if (type === 'Slug') return [workspaceId]
  if (type === 'Member') return role === 'owner' ? [workspaceId, userId] : [userId]
  if (type === 'Membership') return [String(PK).slice('USER#'.length)]
  return followers.has(String(type)) ? [] : [id, email]
}

const byId = (rows: readonly Item[]) =>
  Map.groupBy(
    rows.flatMap((row) => idsOf(row).map((id) => ({ row, id }))),
    ({ id }) => id,
  )

/** Adds rows until the record has every mark: those of the table as the walk left it first, and all that they refer to. */
const choose = (known: readonly Item[], last: readonly Item[], earlier: readonly Item[]): Item[] => {
  const marks = marksOf([...known, ...last, ...earlier])
  const missing = new Set([...marks.values()].flat())
  for (const mark of known.flatMap((row) => marks.get(row) ?? [])) missing.delete(mark)
  const taken = new Set(known.map(nameOf))
  const chosen: Item[] = []
  const take = (row: Item) => {
    chosen.push(row)
    taken.add(nameOf(row))
    for (const mark of marks.get(row) ?? []) missing.delete(mark)
  }
  const cover = (rows: readonly Item[], mayRepeat = false) => {
    while (missing.size > 0) {
      const free = rows.filter((row) => mayRepeat || !taken.has(nameOf(row)))
      const counts = free.map((row) => (marks.get(row) ?? []).filter((mark) => missing.has(mark)).length)
      const max = counts.reduce((a, b) => Math.max(a, b), 0)
      const best = free[counts.indexOf(max)]
      if (best === undefined || max === 0) return
      take(best)
    }
  }
  const referredTo = byId(last)
  const complete = () => {
    for (const row of chosen)
      for (const { row: other } of textsIn(row).flatMap((id) => referredTo.get(id) ?? []))
        if (!taken.has(nameOf(other))) take(other)
  }
  cover(last)
  complete()
  cover(earlier)
  complete()
  // Of what there is one row only, in each of its states.
  cover([...earlier, ...last], true)
  return chosen
}

/** A row as the SDK reads it; the engine keeps bytes in base64. */
const fromStored = (item: StoredItem): Item =>
  unmarshall(
    JSON.parse(JSON.stringify(item), (name, value: unknown) =>
      name === 'B' && typeof value === 'string' ? Buffer.from(value, 'base64') : value,
    ),
  )

const readRecord = (): Recorded[] => {
  const lines = readFileSync(join(import.meta.dirname, record), 'utf8')
    .split('\n')
    .filter(Boolean)
  return lines.map((line) => JSON.parse(line) as Recorded)
}

/** The lines of the record, and of the rows of a walk that have what no recorded row has. */
export const recordWalk = async (kit: Kit, earlier: readonly StoredItem[]): Promise<string> => {
  const known = readRecord()
  const chosen = choose(known, await scanTable(kit), earlier.map(fromStored))
  const added = await Promise.all(chosen.map((row) => writeRow(kit, row)))
  return [...known, ...added].map((row) => `${JSON.stringify(row)}\n`).join('')
}

/**
 * The tables in the record: the first has each row in its first state, the next one in its second, if it has one, or
 * the last, and so on.
 */
export const releasedTables = (): Recorded[][] => {
  const states = [...Map.groupBy(readRecord(), nameOf).values()]
  const max = states.reduce((count, { length }) => Math.max(count, length), 0)
  return Array.from({ length: max }, (_, n) => states.flatMap((own) => own.slice(0, n + 1).slice(-1)))
}

/** Puts recorded rows into a table. */
export const load = async (kit: Kit, rows: readonly Recorded[]): Promise<void> => {
  for (const row of rows) await put(kit.ctx, await readRow(kit, row))
}

/** A word that this release does not know. */
export const laterValue = 'added_later'

const replaceValue = (value: unknown, [name, ...rest]: readonly string[]): unknown => {
  if (name === undefined) return laterValue
  if (Array.isArray(value)) return value.map((item) => replaceValue(item, rest))
  const { [name]: old, ...others } = Object(value)
  return old === undefined ? value : { ...others, [name]: replaceValue(old, rest) }
}

/** The field of a mark that names a word of an enumeration. */
const fieldIn = (mark: string) => /^(\S+ \S+) (?!null$|lacking$)\S+$/.exec(mark)?.[1]

/**
 * The rows, with a word that this release does not know in one row for each field that holds words of an enumeration; and the
 * rows that are changed. Owners stay owners, to read the others; what an adapter keeps for its own look-up (`ref`) is
 * read by `z.parse`, and a message about it comes again.
 */
export const withLaterValues = (rows: readonly Recorded[]): { rows: Recorded[]; strange: Recorded[] } => {
  const changed = new Map<Recorded, Recorded>()
  const seen = new Set<string>()
  for (const [row, marks] of marksOf(rows.filter(({ role }) => role !== 'owner'))) {
    const fields = marks.map(fieldIn).filter((field) => field !== undefined)
    const field = fields.find((field) => !seen.has(field) && !/\*|\.ref\./.test(field))
    if (field === undefined) continue
    seen.add(field)
    const path = field
      .slice(field.indexOf('.') + 1)
      .replaceAll('[]', '.[]')
      .split('.')
    changed.set(row, replaceValue(row, path) as Recorded)
  }
  return { rows: rows.map((row) => changed.get(row) ?? row), strange: [...changed.values()] }
}
