import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import type { Call, Route, SimulatorContext } from '../standin.ts'
import { onePage } from './page.ts'
import { bodyReader } from './read-body.ts'
import { refuse } from './refuse.ts'
import { type PinterestBoard, type PinterestPerson, pinterestSeed } from './seed.ts'

/** Short pages, so that callers have to follow them. */
const maxOnPage = 2
const maxName = 180

const BoardInput = z.object({
  name: z.string(),
  privacy: z._default(z.enum(['PUBLIC', 'PROTECTED', 'SECRET']), 'PUBLIC'),
})

/** The boards: listed by their owner, created under a new name. */
export function openBoards({ keep, listing }: SimulatorContext, personOf: (call: Call) => PinterestPerson) {
  const made = keep<PinterestBoard>('boards')
  const readInput = bodyReader('BoardCreate')
  const all = () => [...pinterestSeed.boards, ...made.values()]
  const ofOwner = ({ username }: PinterestPerson) => all().filter(({ owner }) => owner === username)

  function list(call: Call): Answer {
    const { items, bookmark } = onePage(listing, call, ofOwner(personOf(call)), maxOnPage)
    return { status: 200, body: { items: items.map(show), bookmark } }
  }

  function create(call: Call): Answer {
    const person = personOf(call)
    const { name, privacy } = BoardInput.parse(readInput(call))
    const taken = ofOwner(person).some((board) => board.name.toLowerCase() === name.toLowerCase())
    if (taken || name.trim() === '' || name.length > maxName) {
      refuse(400, 58, 'The board name is invalid or duplicated.')
    }
    const id = String(549_755_885_200 + made.values().length)
    const board = { id, owner: person.username, name, privacy, is_ads_only: false }
    made.set(id, board)
    return { status: 201, body: show(board) }
  }

  const routes: Route[] = [
    { method: 'GET', path: '/v5/boards', operation: 'boards', answer: list },
    { method: 'POST', path: '/v5/boards', operation: 'makeBoard', answer: create },
  ]
  return { routes, find: (id: string | undefined) => all().find((board) => board.id === id) }
}

function show({ id, owner, name, privacy, is_ads_only }: PinterestBoard): Record<string, unknown> {
  const empty = { description: '', pin_count: 0, follower_count: 0, collaborator_count: 0 }
  return { id, name, privacy, is_ads_only, owner: { username: owner }, ...empty }
}
