import * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import { type Containers, keepMedia, type StoredContainer } from '../graph/containers.ts'
import { fetchMedia } from '../graph/fetch-media.ts'
import { readForm } from '../graph/read.ts'
import { refuse, unknownObject } from '../graph/refuse.ts'
import type { Call, SimulatorContext } from '../standin.ts'
import { countText } from './count-text.ts'
import type { ThreadsPerson } from './seed.ts'

const text = z.optional(z.string())
const alt_text = z.optional(z.string().check(z.maxLength(1000)))
const is_carousel_item = z.optional(z.literal('true'))

/** What a container may be made of (Threads API, Create a container, 2026-04-14). */
const Form = z.discriminatedUnion('media_type', [
  z.strictObject({ media_type: z.literal('TEXT'), text: z.string() }),
  z.strictObject({ media_type: z.literal('IMAGE'), image_url: z.string(), text, alt_text, is_carousel_item }),
  z.strictObject({ media_type: z.literal('VIDEO'), video_url: z.string(), text, alt_text, is_carousel_item }),
  z.strictObject({ media_type: z.literal('CAROUSEL'), children: z.string(), text }),
])

const imageBytes = 8 * 1024 * 1024
const videoBytes = 1024 ** 3
/** How long Threads takes, as far as anybody has measured. */
const processingMs = { TEXT: 0, IMAGE: 4_000, VIDEO: 40_000, CAROUSEL: 3_000 } as const

function checkText(written: string): void {
  if (countText(written) > 500) refuse({ code: 100, message: '(#100) Param text must be at most 500 characters long.' })
  // With and without a scheme; a name that begins with `www.` is a link to Threads.
  const links = new Set(
    (written.match(/(?:https?:\/\/|\bwww\.)\S+/g) ?? []).map((link) => link.replace(/^https?:\/\//, '')),
  )
  if (links.size > 5) refuse({ code: 100, message: 'THREADS_API__LINK_LIMIT_EXCEEDED' })
}

/** Makes containers: fetches what they show, and looks at it as Threads does. */
export function openMaker(context: SimulatorContext, containers: Containers) {
  function childrenOf(ids: readonly string[], { id: account }: ThreadsPerson): StoredContainer[] {
    if (ids.length < 2 || ids.length > 20) refuse({ code: 100, message: 'A carousel needs 2 to 20 children.' })
    return ids.map((id) => {
      const child = containers.find(id)
      if (child?.account !== account || !child.isItem) return refuse(unknownObject(id))
      if (containers.stateOf(child) === 'FINISHED') return child
      return refuse({ code: 24, subcode: 4279009, message: 'Media Not Found' })
    })
  }

  async function fetchFile(type: 'IMAGE' | 'VIDEO', address: string, alt: string) {
    const file = await fetchMedia(address)
    if (file.kind === 'unreachable') {
      if (type === 'VIDEO') return { media: [], failure: 'FAILED_DOWNLOADING_VIDEO' }
      return refuse({ code: 100, message: `The media could not be fetched from this URI: ${file.why}` })
    }
    const media = [keepMedia(context, file, alt)]
    if (type === 'VIDEO') {
      const taken = file.type.startsWith('video/') && file.bytes.length <= videoBytes
      return { media, failure: taken ? null : 'FAILED_PROCESSING_VIDEO' }
    }
    if (!/^image\/(jpeg|png)$/.test(file.type) || file.bytes.length > imageBytes) {
      return refuse({ code: 100, message: `Only photo of JPEG or PNG up to 8 MB is accepted, not ${file.type}` })
    }
    const aspect = file.aspect ?? 1
    return { media, failure: aspect > 10 || aspect < 0.1 ? 'INVALID_ASPEC_RATIO' : null }
  }

  return async function make(call: Call, person: ThreadsPerson): Promise<Answer> {
    const form = readForm(call, Form)
    checkText(form.text ?? '')
    const made = {
      account: person.id,
      type: form.media_type,
      text: form.text ?? '',
      isItem: false,
      media: [],
      failure: null,
    }
    const after = processingMs[form.media_type]
    const answer = ({ id }: StoredContainer): Answer => ({ status: 200, body: { id } })
    if (form.media_type === 'TEXT') return answer(containers.add(made, after))
    if (form.media_type === 'CAROUSEL') {
      const children = childrenOf(form.children.split(','), person)
      return answer(containers.add({ ...made, media: children.flatMap(({ media }) => media) }, after))
    }
    const address = form.media_type === 'IMAGE' ? form.image_url : form.video_url
    const fetched = await fetchFile(form.media_type, address, form.alt_text ?? '')
    return answer(containers.add({ ...made, ...fetched, isItem: form.is_carousel_item === 'true' }, after))
  }
}
