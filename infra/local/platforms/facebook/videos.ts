import * as z from 'zod/mini'
import { captionsFormatOf } from '../../../../shared/media/captions.ts'
import { dayMs } from '../../../../shared/time.ts'
import { parseMultipart } from '../../pages/multipart.ts'
import type { Answer } from '../../pages/server.ts'
import { keepMedia, newId, timestampOf } from '../graph/containers.ts'
import { fetchMedia } from '../graph/fetch-media.ts'
import { showPage } from '../graph/pages.ts'
import { pickFields, readForm } from '../graph/read.ts'
import { refuse, unknownObject } from '../graph/refuse.ts'
import type { Call, PublicMedia, PublicPost, Route, SimulatorContext } from '../standin.ts'
import type { Access } from './access.ts'
import type { Feed } from './feed.ts'
import { describePage, facebookSeed } from './seed.ts'

type Kind = 'video' | 'reel' | 'story'

interface StoredVideo {
  id: string
  page: string
  kind: Kind
  text: string
  media: PublicMedia | null
  /** Why it cannot be processed. */
  failure: string | null
  createdAt: number
  readyAt: number | null
  publishedAt: number | null
  /** The locales of its captions. */
  captions?: readonly string[]
}

interface StoredStory {
  post: string
  page: string
  mediaId: string
  type: 'video' | 'photo'
  media: PublicMedia[]
  publishedAt: number
}

const version = 'v25.0'
const processingMs = 10_000
const reelsADay = 30

const VideoForm = z.strictObject({
  file_url: z.string(),
  published: z.literal('false'),
  description: z.optional(z.string().check(z.minLength(1))),
})
const PublishForm = z.strictObject({ published: z.literal('true') })
const EditForm = z.strictObject({ description: z.string() })
const ReelForm = z.strictObject({
  video_id: z.string(),
  video_state: z.literal('PUBLISHED'),
  description: z.optional(z.string().check(z.minLength(1))),
})
const StoryForm = z.strictObject({ video_id: z.string() })
const PhotoStoryForm = z.strictObject({ photo_id: z.string() })

/** Videos, reels, and stories of pages: uploaded, processed, and published once. */
export function openVideos(
  context: SimulatorContext,
  access: Access,
  feed: Feed,
): { routes: Route[]; has(id: string, page: string): boolean; posts(): PublicPost[] } {
  const { clock, keep, url } = context
  const videos = keep<StoredVideo>('videos')
  const stories = keep<StoredStory>('stories')

  function add(page: string, kind: Kind, text = ''): StoredVideo {
    const id = newId()
    const none = { media: null, failure: null, readyAt: null, publishedAt: null }
    const video = { id, page, kind, text, ...none, createdAt: clock.now() }
    videos.set(id, video)
    return video
  }

  async function load(video: StoredVideo, address: string): Promise<void> {
    const file = await fetchMedia(address)
    if (file.kind === 'unreachable') {
      return refuse({ code: 389, message: `Unable to fetch video file from URL: ${file.why}` })
    }
    const failure = file.type.startsWith('video/') ? null : 'The video format is not supported'
    const media = keepMedia(context, file, '')
    videos.set(video.id, { ...video, media, failure, readyAt: clock.now() + processingMs })
  }

  async function upload(call: Call): Promise<Answer> {
    const { id: page } = access.assertPage(call)
    const { file_url, description } = readForm(call, VideoForm)
    const video = add(page, 'video', description)
    await load(video, file_url)
    return { status: 200, body: { id: video.id } }
  }

  function start(call: Call, kind: Kind): Answer {
    readForm(call, z.strictObject({}))
    const { id } = add(access.assertPage(call).id, kind)
    return { status: 200, body: { video_id: id, upload_url: `${url}/video-upload/${version}/${id}` } }
  }

  async function transfer(call: Call): Promise<Answer> {
    const page = access.pageOf(call, false)
    const video = own(call.params['video'] ?? '', page.id)
    const address = call.headers['file_url']
    const said = { retriable: false, type: 'ProcessingFailedError', message: 'Request processing failed' }
    if (address === undefined || video.media !== null) return { status: 400, body: { debug_info: said } }
    await load(video, address)
    return { status: 200, body: { success: true } }
  }

  function own(id: string, page: string): StoredVideo {
    const video = videos.get(id)
    return video?.page === page ? video : refuse(unknownObject(id))
  }

  const isProcessed = ({ readyAt }: StoredVideo) => readyAt !== null && clock.now() >= readyAt

  function statusOf(video: StoredVideo): object {
    const { media, failure, publishedAt, createdAt } = video
    if (publishedAt === null && clock.now() > createdAt + dayMs) return { video_status: 'expired' }
    const isFailed = failure !== null && isProcessed(video)
    const processing = media === null ? 'not_started' : isProcessed(video) ? 'complete' : 'in_progress'
    const whole = media === null ? 'uploading' : isProcessed(video) ? 'ready' : 'processing'
    return {
      video_status: isFailed ? 'error' : whole,
      uploading_phase: { status: media === null ? 'not_started' : 'complete' },
      processing_phase: isFailed
        ? { status: 'error', errors: [{ code: 1363008, message: failure }] }
        : { status: processing },
      publishing_phase:
        publishedAt === null
          ? { status: 'not_started' }
          : { status: 'complete', publish_status: 'published', publish_time: timestampOf(publishedAt) },
    }
  }

  function show(call: Call): Answer {
    const { object = '' } = call.params
    const page = access.pageOf(call)
    const { id } = page
    if (object === id) return { status: 200, body: pickFields(call, describePage(page)) }
    const video = own(object, id)
    const shown = { id: object, published: video.publishedAt !== null, status: statusOf(video) }
    return { status: 200, body: pickFields(call, shown) }
  }

  /** For a video that is already public, nothing happens. */
  function publish(video: StoredVideo, text: string): void {
    if (video.publishedAt !== null) return
    if (!isProcessed(video) || video.failure !== null) {
      refuse({ code: 100, message: '(#100) The video is not ready to be published' })
    }
    videos.set(video.id, { ...video, text, publishedAt: clock.now() })
  }

  function change(call: Call): Answer {
    const form = readForm(call, z.union([PublishForm, EditForm]))
    const video = own(call.params['object'] ?? '', access.pageOf(call).id)
    if ('description' in form) videos.set(video.id, { ...video, text: form.description })
    else if (video.kind !== 'video') refuse({ code: 100, message: '(#100) Publish it where it was started' })
    else publish(video, video.text)
    return { status: 200, body: { success: true } }
  }

  function addCaptions(call: Call): Answer {
    const video = own(call.params['object'] ?? '', access.pageOf(call).id)
    const [file, ...more] = parseMultipart(call.headers['content-type'] ?? '', call.body)
    const [, locale] = /\.([a-z]{2,3}_[A-Z]{2})\.srt$/.exec(file?.filename ?? '') ?? []
    if (file?.name !== 'captions_file' || more.length > 0 || locale === undefined) {
      return refuse({ code: 100, message: '(#100) captions_file must be named for its locale, as in name.en_US.srt' })
    }
    if (captionsFormatOf(file.bytes.toString()) !== 'srt') {
      return refuse({ code: 387, message: '(#387) There was a problem uploading your captions file.' })
    }
    videos.set(video.id, { ...video, captions: [...(video.captions ?? []), locale] })
    return { status: 200, body: { success: true } }
  }

  function publishReel(call: Call): Answer {
    const { id: page } = access.assertPage(call)
    const { video_id, description = '' } = readForm(call, ReelForm)
    const video = own(video_id, page)
    if (video.kind !== 'reel') refuse(unknownObject(video_id))
    const since = clock.now() - dayMs
    const isRecent = (reel: StoredVideo) =>
      reel.kind === 'reel' && reel.page === page && (reel.publishedAt ?? 0) > since
    if (video.publishedAt === null && videos.values().filter(isRecent).length >= reelsADay) {
      refuse({ code: 4, message: '(#4) The limit of reels that are published in 24 hours is reached' })
    }
    publish(video, description)
    return { status: 200, body: { success: true } }
  }

  function addStory(page: string, made: Pick<StoredStory, 'mediaId' | 'type' | 'media'>): Answer {
    const known = stories.values().find(({ mediaId }) => mediaId === made.mediaId)
    const post = known?.post ?? newId()
    if (known === undefined) stories.set(post, { post, page, ...made, publishedAt: clock.now() })
    return { status: 200, body: { success: true, post_id: post } }
  }

  function publishVideoStory(call: Call): Answer {
    const { id: page } = access.assertPage(call)
    const { video_id } = readForm(call, StoryForm)
    const video = own(video_id, page)
    if (video.kind !== 'story') refuse(unknownObject(video_id))
    publish(video, '')
    return addStory(page, { mediaId: video_id, type: 'video', media: video.media ? [video.media] : [] })
  }

  function publishPhotoStory(call: Call): Answer {
    const { id: page } = access.assertPage(call)
    const photo = feed.findPhoto(readForm(call, PhotoStoryForm).photo_id, page)
    const answer = addStory(page, { mediaId: photo.id, type: 'photo', media: [photo.media] })
    feed.usePhoto(photo, 'story')
    return answer
  }

  const storyUrl = (post: string) => `https://facebook.com/stories/${post}`

  function listStories(call: Call): Answer {
    const { id: page } = access.assertPage(call)
    const since = Number(call.query.get('since') ?? 0) * 1000
    const all = stories.values().filter((story) => story.page === page && story.publishedAt >= since)
    return showPage(context, call, all.toReversed(), ({ post, mediaId, type, publishedAt }) => ({
      post_id: post,
      status: clock.now() < publishedAt + dayMs ? 'PUBLISHED' : 'ARCHIVED',
      creation_time: String(Math.floor(publishedAt / 1000)),
      media_type: type,
      media_id: mediaId,
      url: storyUrl(post),
    }))
  }

  /** A post, a video, or a story of the page whose token a call carries. */
  function remove(call: Call): Answer {
    const { object = '' } = call.params
    const { id: page } = access.pageOf(call)
    const isOwn = [videos, stories].some((map) => map.get(object)?.page === page && map.delete(object))
    if (!isOwn && !feed.remove(object, page)) refuse(unknownObject(object))
    return { status: 200, body: { success: true } }
  }

  /** The phase may be one of the fields. */
  function inPhase(call: Call, kind: Kind, finish: (call: Call) => Answer): Answer {
    const fields = new URLSearchParams(call.body.toString())
    const phase = fields.get('upload_phase')
    fields.delete('upload_phase')
    const rest = { ...call, body: Buffer.from(fields.toString()) }
    if (phase === 'start') return start(rest, kind)
    return phase === 'finish' ? finish(rest) : refuse({ code: 100, message: '(#100) upload_phase is not valid' })
  }

  const nameOf = (page: string) => facebookSeed.pages.find(({ id }) => id === page)?.name ?? page
  const of = `/${version}/:page`
  const phases = (edge: string, kind: Kind, finish: (call: Call) => Answer): Route[] => {
    const route = { method: 'POST', path: `${of}/${edge}` } as const
    const isPhase = (name: string) => (_: unknown, query: URLSearchParams) => query.get('upload_phase') === name
    return [
      { ...route, operation: 'upload', when: isPhase('start'), answer: (call) => start(call, kind) },
      { ...route, operation: 'create', when: isPhase('finish'), answer: finish },
      { ...route, operation: 'create', answer: (call) => inPhase(call, kind, finish) },
    ]
  }
  return {
    routes: [
      { method: 'POST', path: `${of}/videos`, operation: 'upload', answer: upload },
      ...phases('video_reels', 'reel', publishReel),
      ...phases('video_stories', 'story', publishVideoStory),
      { method: 'POST', path: `/video-upload/${version}/:video`, operation: 'transfer', answer: transfer },
      { method: 'POST', path: `${of}/photo_stories`, operation: 'create', answer: publishPhotoStory },
      { method: 'GET', path: `${of}/stories`, operation: 'stories', answer: listStories },
      { method: 'POST', path: `/${version}/:object/captions`, operation: 'captions', answer: addCaptions },
      { method: 'POST', path: `/${version}/:object`, operation: 'create', answer: change },
      { method: 'GET', path: `/${version}/:object`, operation: 'page', answer: show },
      { method: 'DELETE', path: `/${version}/:object`, operation: 'delete', answer: remove },
    ],
    has: (id, page) => videos.get(id)?.page === page && videos.get(id)?.publishedAt !== null,
    posts: () => [
      ...videos.values().flatMap(({ id, page, kind, text, media, publishedAt, captions = [] }): PublicPost[] => {
        if (publishedAt === null || media === null || kind === 'story') return []
        const path = kind === 'reel' ? `reel/${id}` : `${page}/videos/${id}`
        const shown = { text, media: [media], replyTo: null, url: `https://www.facebook.com/${path}`, publishedAt }
        return [{ account: nameOf(page), ...shown, extras: captions.map((locale) => `captions: ${locale}`) }]
      }),
      ...stories.values().map(({ post, page, media, publishedAt }) => ({
        account: nameOf(page),
        text: '',
        media,
        replyTo: null,
        url: storyUrl(post),
        publishedAt,
      })),
    ],
  }
}
