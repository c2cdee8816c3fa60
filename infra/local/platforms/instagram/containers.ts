import type * as z from 'zod/mini'
import type { Answer } from '../../pages/server.ts'
import type { Containers, StoredContainer } from '../graph/containers.ts'
import { readForm } from '../graph/read.ts'
import { refuse, unknownObject } from '../graph/refuse.ts'
import type { Call, SimulatorContext } from '../standin.ts'
import { fetchImage, fetchVideo } from './fetch-files.ts'
import { forms } from './forms.ts'
import { type InstagramPerson, instagramSeed } from './seed.ts'

/** How long Instagram takes, as far as it was measured. */
const processingMs = { image: 6_000, video: 60_000, carousel: 4_000 } as const
const reelBytes = 300 * 1024 * 1024
const storyBytes = 100 * 1024 * 1024

type Made = Parameters<Containers['add']>[0]
type Form<Name extends keyof typeof forms> = z.infer<(typeof forms)[Name]>

/** The accounts that are tagged, and whether a reel is a trial, one line each. */
const extrasOf = ({
  user_tags: tags = [],
  trial,
}: {
  user_tags?: readonly { username: string }[] | undefined
  trial?: string | undefined
}) => [
  ...(tags.length > 0 ? [`tags ${tags.map(({ username }) => username).join(', ')}`] : []),
  ...(trial === undefined ? [] : [`trial: ${trial}`]),
]

function checkCaption(caption: string): void {
  if (caption.length > 2200) refuse({ code: 100, subcode: 2207010, message: 'The caption was too long: at most 2200' })
  if ((caption.match(/#\p{L}/gu) ?? []).length > 5) {
    refuse({ code: 100, subcode: 2207010, message: 'The caption has more than 5 hashtags' })
  }
  if ((caption.match(/@\w/g) ?? []).length > 20) {
    refuse({ code: 100, subcode: 2207040, message: 'Cannot use more than 20 tags per created media' })
  }
}

/** Creates containers: fetches their media, and checks it as Instagram does. */
export function openMaker(context: SimulatorContext, containers: Containers) {
  function childrenOf(ids: readonly string[], account: string): StoredContainer[] {
    if (ids.length < 2 || ids.length > 10) {
      refuse({ code: 100, subcode: 2207028, message: 'A carousel needs 2 to 10 children' })
    }
    return ids.map((id) => {
      const child = containers.find(id)
      if (child?.account !== account || !child.isItem) return refuse(unknownObject(id))
      if (containers.stateOf(child) === 'FINISHED') return child
      return refuse({ code: 9007, subcode: 2207027, message: 'The media is not ready for publishing' })
    })
  }

  async function makeImage(blank: Made, form: Form<'IMAGE'>): Promise<StoredContainer> {
    checkCaption(form.caption ?? '')
    const media = [await fetchImage(context, form.image_url, { alt: form.alt_text })]
    const isItem = form.is_carousel_item === 'true'
    const made = { ...blank, text: form.caption ?? '', media, isItem, extras: extrasOf(form) }
    return containers.add(made, processingMs.image)
  }
  async function makeReel(blank: Made, form: Form<'REELS'>): Promise<StoredContainer> {
    const trial = form.trial_params?.graduation_strategy
    if (trial !== undefined && blank.account !== instagramSeed.people[0].id) {
      refuse({ code: 100, subcode: 2207081, message: 'The account is not eligible for trial reels' })
    }
    checkCaption(form.caption ?? '')
    const video = await fetchVideo(context, form.video_url, reelBytes)
    const cover = form.cover_url === undefined ? [] : [await fetchImage(context, form.cover_url, { anyShape: true })]
    const media = [...video.media, ...cover]
    const extras = extrasOf({ user_tags: form.user_tags, trial })
    const made = { ...blank, ...video, media, text: form.caption ?? '', extras }
    return containers.add(made, processingMs.video)
  }
  async function makeStory(plain: Made, form: Form<'STORIES'>): Promise<StoredContainer> {
    const { image_url, video_url } = form
    const blank = { ...plain, extras: extrasOf(form) }
    if (video_url !== undefined) {
      const video = await fetchVideo(context, video_url, storyBytes)
      return containers.add({ ...blank, ...video }, processingMs.video)
    }
    const media = [await fetchImage(context, image_url ?? '', { anyShape: true })]
    return containers.add({ ...blank, media }, processingMs.image)
  }
  function makeCarousel(blank: Made, form: Form<'CAROUSEL'>): StoredContainer {
    checkCaption(form.caption ?? '')
    const children = childrenOf(form.children.split(','), blank.account)
    const media = children.flatMap((child) => child.media)
    const extras = children.flatMap((child) => child.extras ?? [])
    return containers.add({ ...blank, media, text: form.caption ?? '', extras }, processingMs.carousel)
  }

  return async function make(call: Call, { id: account }: InstagramPerson): Promise<Answer> {
    const type = new URLSearchParams(call.body.toString()).get('media_type') ?? 'IMAGE'
    const blank: Made = { account, type, text: '', isItem: false, media: [], failure: null }
    const made = async (): Promise<StoredContainer> => {
      if (type === 'IMAGE') return makeImage(blank, readForm(call, forms.IMAGE))
      if (type === 'REELS') return makeReel(blank, readForm(call, forms.REELS))
      if (type === 'STORIES') return makeStory(blank, readForm(call, forms.STORIES))
      if (type === 'CAROUSEL') return makeCarousel(blank, readForm(call, forms.CAROUSEL))
      if (type !== 'VIDEO') return refuse({ code: 100, subcode: 2207023, message: `The media type ${type} is unknown` })
      const { video_url } = readForm(call, forms.VIDEO)
      const video = await fetchVideo(context, video_url, reelBytes)
      return containers.add({ ...blank, ...video, isItem: true }, processingMs.video)
    }
    return { status: 200, body: { id: (await made()).id } }
  }
}
