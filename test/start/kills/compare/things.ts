import type { Client } from '../../../../functions/client.ts'
import type { Journal } from '../journal.ts'
import { type Kind, kinds, pictureOf } from '../kinds.ts'
import type { Stage } from '../stage.ts'

const pageSize = 200

const listAll = async (kind: Kind, api: Client, stage: Stage) => {
  const all: { id: string; name: string }[] = []
  for (let offset = 0; ; offset += pageSize) {
    const { items, total } = await kind.list(api, stage, { limit: pageSize, offset })
    all.push(...items)
    if (items.length < pageSize || all.length >= total) return { all, total }
  }
}

const compareKind = async (kind: Kind, api: Client, stage: Stage, journal: Journal): Promise<string[]> => {
  const { all, total } = await listAll(kind, api, stage)
  const expected = (journal.things.get(kind.name) ?? []).filter(({ isThere }) => isThere)
  const things = Map.groupBy(all, ({ name }) => name)
  const names = new Set(expected.map(({ name }) => name))
  return [
    ...(total === expected.length ? [] : [`the total of each ${kind.name} is ${total}, not ${expected.length}`]),
    ...expected.flatMap(({ id, name }) => {
      const ids = things.get(name)?.map((thing) => thing.id) ?? []
      return ids.length === 1 && ids[0] === id
        ? []
        : [`${kind.name} ${name} is there as ${ids.join(', ') || 'nothing'}, not as ${id}`]
    }),
    ...[...things.keys()].filter((name) => !names.has(name)).map((name) => `${kind.name} ${name} should not be there`),
  ]
}

/** Every file of the gallery is the one that was uploaded. */
const compareBytes = async (api: Client): Promise<string[]> => {
  const differences: string[] = []
  for (let offset = 0; ; offset += pageSize) {
    const { items, hasMore } = await api.media.list({ query: { limit: pageSize, offset } })
    for (const { originalFilename, url } of items) {
      const answer = await fetch(url)
      const isSame = Buffer.from(await answer.arrayBuffer()).equals(pictureOf(originalFilename))
      if (!isSame) differences.push(`file ${originalFilename} is answered ${answer.status} with other bytes`)
    }
    if (!hasMore) return differences
  }
}

/** Drafts, memories, files and endpoints as the API lists them, against the requests. */
export const compareThings = async (api: Client, stage: Stage, journal: Journal): Promise<string[]> => {
  const differences = await compareBytes(api)
  for (const kind of kinds) differences.push(...(await compareKind(kind, api, stage, journal)))
  return differences
}
