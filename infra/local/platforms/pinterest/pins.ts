import * as z from 'zod/mini'
import type { Size } from '../../../../shared/media/inspect/info.ts'
import type { Answer } from '../../pages/server.ts'
import { type Call, parseJson, type Route, type SimulatorContext } from '../standin.ts'
import { type Image, MediaSource, takeCover, takeImage } from './image.ts'
import type { Media } from './media.ts'
import { onePage } from './page.ts'
import { bodyReader } from './read-body.ts'
import { refuse } from './refuse.ts'
import { type PinterestBoard, type PinterestPerson, pinterestSeed } from './seed.ts'

interface StoredFile {
  key: string
  type: string
  /** Of an image that can be read. */
  size?: Size | undefined
}

export interface StoredPin {
  id: string
  boardId: string
  owner: string
  title: string | null
  description: string | null
  link: string | null
  altText: string | null
  section: string | null
  /** The images, or the video and its cover, if that is a separate image. */
  files: StoredFile[]
  madeAt: number
}

const text = z._default(z.nullable(z.string()), null)
const PinInput = z.object({
  board_id: z.string(),
  board_section_id: text,
  title: text,
  description: text,
  link: text,
  alt_text: text,
  media_source: MediaSource,
})

/** The fields that matter here (Pinterest API v5, pins/update). */
const PinUpdate = z.strictObject({
  title: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
  description: z.optional(z.nullable(z.string().check(z.maxLength(800)))),
  link: z.optional(z.nullable(z.string().check(z.maxLength(2048)))),
  alt_text: z.optional(z.nullable(z.string().check(z.maxLength(500)))),
  board_id: z.optional(z.string()),
  board_section_id: z.optional(z.nullable(z.string())),
})

const maxOnPage = 50

/** Pins: created on the user's boards, listed newest first, changed, deleted. */
export function openPins(
  { clock, blobs, keep, listing }: SimulatorContext,
  personOf: (call: Call) => PinterestPerson,
  findBoard: (id: string | undefined) => PinterestBoard | undefined,
  media: Media,
) {
  const pins = keep<StoredPin>('pins')
  const readInput = bodyReader('PinCreate')

  function boardOf(person: PinterestPerson, id: string | undefined): PinterestBoard {
    const board = findBoard(id) ?? refuse(404, 40, 'Board not found.')
    return board.owner === person.username ? board : refuse(403, 29, 'You are not permitted to access that resource.')
  }

  async function create(call: Call): Promise<Answer> {
    const person = personOf(call)
    const input = PinInput.safeParse(readInput(call))
    if (!input.success) return refuse(400, 1, 'A Pin needs a board and one image.')
    const { board_id, board_section_id: section, alt_text: altText, media_source, ...fields } = input.data
    const board = boardOf(person, board_id)
    if (section !== null) assertSection(board, section)
    const files = await take(media_source, person)
    const pin = add({ boardId: board_id, section, owner: person.username, ...fields, altText, files })
    return { status: 201, body: show(pin) }
  }

  function store({ bytes, ...image }: Image) {
    blobs.put(image.key, bytes)
    return image
  }

  async function take(source: z.infer<typeof MediaSource>, person: PinterestPerson): Promise<StoredPin['files']> {
    if (source.source_type === 'video_id') {
      const cover = await takeCover(source)
      return [media.video(source.media_id, person), ...(cover ? [store(cover)] : [])]
    }
    if (source.source_type !== 'multiple_image_urls') return [store(await takeImage(source))]
    const urls = source.items.map(({ url }) => ({ source_type: 'image_url' as const, url }))
    return (await Promise.all(urls.map(takeImage))).map(store)
  }

  function assertSection({ id }: PinterestBoard, section: string | undefined): void {
    const isIts = pinterestSeed.sections.some(({ id: known, board }) => known === section && board === id)
    if (!isIts) refuse(404, 2031, 'Board section not found.')
  }

  function add(made: Omit<StoredPin, 'id' | 'madeAt'>): StoredPin {
    const id = String(813_744_226_420_795_884n + BigInt(pins.values().length))
    const pin = { id, ...made, madeAt: clock.now() }
    pins.set(id, pin)
    return pin
  }

  function other(boardId: string, description: string): void {
    const board = findBoard(boardId)
    if (board === undefined) return
    const made = { title: null, description, link: null, altText: null }
    const files = [{ key: 'none', type: 'image/png' }]
    add({ boardId, section: null, owner: board.owner, ...made, files })
  }

  function list(call: Call): Answer {
    const board = boardOf(personOf(call), call.params['board'])
    const { section } = call.params
    if (section !== undefined) assertSection(board, section)
    const newestFirst = pins
      .values()
      .filter((pin) => pin.boardId === board.id && (section === undefined || pin.section === section))
      .reverse()
    const { items, bookmark } = onePage(listing, call, newestFirst, maxOnPage)
    return { status: 200, body: { items: items.map(show), bookmark } }
  }

  function pinOf(call: Call): StoredPin {
    const person = personOf(call)
    const pin = pins.get(call.params['pin'] ?? '')
    return pin?.owner === person.username ? pin : refuse(404, 50, 'Pin not found.')
  }

  function remove(call: Call): Answer {
    pins.delete(pinOf(call).id)
    return { status: 204 }
  }

  function update(call: Call): Answer {
    const pin = pinOf(call)
    const input = PinUpdate.safeParse(parseJson(call.body, () => refuse(400, 1, 'The request body is no JSON')))
    if (!input.success) return refuse(400, 1, 'Invalid request')
    const { board_id: board, board_section_id: section, alt_text: altText, ...fields } = input.data
    const boardId = board === undefined ? pin.boardId : boardOf(personOf(call), board).id
    const sectionId = section === undefined && boardId === pin.boardId ? pin.section : (section ?? null)
    if (sectionId !== null) assertSection(boardOf(personOf(call), boardId), sectionId)
    const changed = { ...fields, ...(altText === undefined ? {} : { altText }) }
    const updated: StoredPin = { ...pin, ...withoutAbsent(changed), boardId, section: sectionId }
    pins.set(pin.id, updated)
    return { status: 200, body: show(updated) }
  }

  const routes: Route[] = [
    { method: 'POST', path: '/v5/pins', operation: 'create', answer: create },
    { method: 'GET', path: '/v5/boards/:board/pins', operation: 'read', answer: list },
    { method: 'GET', path: '/v5/boards/:board/sections/:section/pins', operation: 'read', answer: list },
    {
      method: 'GET',
      path: '/v5/pins/:pin',
      operation: 'pin',
      answer: (call) => ({ status: 200, body: show(pinOf(call)) }),
    },
    { method: 'PATCH', path: '/v5/pins/:pin', operation: 'edit', answer: update },
    { method: 'DELETE', path: '/v5/pins/:pin', operation: 'delete', answer: remove },
  ]
  return { routes, pins, other }
}

/** The fields that were sent. */
const withoutAbsent = (fields: Readonly<Record<string, string | null | undefined>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The image at the largest width that Pins are shown at. */
const shownWidth = 1200

function showImages({ key, size }: StoredFile) {
  const width = size ? shownWidth : null
  const height = size ? Math.round((size.height * shownWidth) / size.width) : null
  return { '1200x': { width, height, url: `https://i.pinimg.com/1200x/${key}` } }
}

function showMedia(files: readonly StoredFile[]) {
  const [first = { key: '', type: '' }] = files
  if (first.type.startsWith('video/')) return { media_type: 'video', images: showImages(files[1] ?? first) }
  if (files.length === 1) return { media_type: 'image', images: showImages(first) }
  const items = files.map((file) => ({ item_type: 'image', images: showImages(file) }))
  return { media_type: 'multiple_images', items }
}

function show({ id, boardId, section, owner, title, description, link, altText, files, madeAt }: StoredPin) {
  return {
    id,
    board_id: boardId,
    created_at: new Date(madeAt).toISOString(),
    title,
    description,
    link,
    alt_text: altText,
    board_owner: { username: owner },
    is_owner: true,
    board_section_id: section,
    media: showMedia(files),
  }
}
