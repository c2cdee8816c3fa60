import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../../functions/client.ts'
import { type Insisting, insist } from './insist.ts'
import type { Journal, Thing } from './journal.ts'
import { type Kind, kinds } from './kinds.ts'
import { type LoadParts, postLoad } from './post-load.ts'
import { type Random, seeded } from './random.ts'
import type { Stage } from './stage.ts'

/** Makes a thing of a kind, or deletes one of the member's own. */
const makeOrRemove = async ({ api, stage, random, journal, insisting }: LoadParts, kind: Kind, own: Thing[]) => {
  const there = own.filter(({ isThere }) => isThere)
  if (there.length < kind.max && !(there.length > 0 && random.percent(30))) {
    const name = journal.nextMarker()
    const outcome = await kind.make(api, stage, name, insisting)
    if (outcome.kind === 'refused')
      journal.complaints.push(`${kind.name} ${name} was refused: ${JSON.stringify(outcome)}`)
    else own.push({ id: outcome.data.id, name, isThere: true })
    return
  }
  const thing = random.pick(there)
  const outcome = await insist(`delete ${kind.name} ${thing.id}`, insisting, () => kind.remove(api, stage, thing.id))
  const isGone = outcome.kind === 'done' || (outcome.status === 404 && outcome.cutOff > 0)
  if (isGone) thing.isThere = false
  else journal.complaints.push(`${kind.name} ${thing.name} is not deleted: ${JSON.stringify(outcome)}`)
}

/** What one member does until stopped, one request after another. */
const act = async (parts: LoadParts, pauseMs: number, stop: AbortSignal): Promise<void> => {
  const { random, journal } = parts
  const posts = postLoad(parts)
  const things = new Map<Kind, Thing[]>(kinds.map((kind) => [kind, []]))
  while (!stop.aborted) {
    const share = random.int(1, 100)
    if (share <= 40) await posts.schedule()
    else if (share <= 48) await posts.publishNow()
    else if (share <= 51) await posts.scheduleThread()
    else if (share <= 80) await posts.act()
    else {
      const kind = random.pick(kinds)
      await makeOrRemove(parts, kind, things.get(kind) ?? [])
    }
    await sleep(random.int(0, pauseMs))
  }
  for (const [{ name }, own] of things) journal.things.set(name, [...(journal.things.get(name) ?? []), ...own])
}

/** Lets every member work against the service; resolves when all have the response to their last request. */
export const runLoad = async (
  stage: Stage,
  journal: Journal,
  { seed, pauseMs, stop, tree }: { seed: number; pauseMs: number; stop: AbortSignal; tree: Insisting['tree'] },
): Promise<void> => {
  const partsOf = (api: Client, random: Random): LoadParts => ({
    api,
    stage,
    random,
    journal,
    insisting: { tree, journal },
  })
  await Promise.all(stage.members.map((api, n) => act(partsOf(api, seeded(seed + n)), pauseMs, stop)))
}
