import * as z from 'zod/mini'
import { dayMs, minuteMs } from '../../../../shared/time.ts'
import type { Answer } from '../../pages/server.ts'
import { keepMedia, newId, timestampOf } from '../graph/containers.ts'
import { fetchMedia } from '../graph/fetch-media.ts'
import { showPage } from '../graph/pages.ts'
import { readForm } from '../graph/read.ts'
import { refuse, unknownObject } from '../graph/refuse.ts'
import {
  type Call,
  type PublicMedia,
  type PublicPost,
  parseJson,
  type Route,
  type SimulatorContext,
} from '../standin.ts'
import type { Access } from './access.ts'
import { facebookSeed } from './seed.ts'

export interface Photo {
  id: string
  page: string
  media: PublicMedia
  uploadedAt: number
  post: string | null
}

interface StoredPost {
  id: string
  page: string
  /** The page, or who wrote on it. */
  from: string
  message: string
  link: string | null
  photos: string[]
  url: string
  publishedAt: number
}

const version = 'v25.0'
const photoBytes = 4 * 1024 * 1024
/** How long Facebook rejects the same text again. */
const repeatMs = 10 * minuteMs

const PhotoForm = z.strictObject({
  url: z.string(),
  published: z.literal('false'),
  alt_text_custom: z.optional(z.string()),
})
const PostForm = z.catchall(
  z.object({
    message: z.optional(z.string().check(z.minLength(1), z.maxLength(63_206))),
    link: z.optional(z.string()),
  }),
  z.string(),
)
const EditForm = z.strictObject({ message: z.string().check(z.maxLength(63_206)) })
const Attached = z.strictObject({ media_fbid: z.string() })

function readId(json: string): string {
  try {
    return Attached.parse(JSON.parse(json)).media_fbid
  } catch {
    return refuse({ code: 100, message: `(#100) ${json} is no attached media` })
  }
}

/** Attached media as one list, each as `readId` reads it. */
function readList(json: string): string[] {
  const wrong = () => refuse({ code: 100, message: '(#100) Param attached_media must be an array' })
  const list = z.safeParse(z.array(z.unknown()), parseJson(Buffer.from(json), wrong))
  return list.success ? list.data.map((media) => JSON.stringify(media)) : wrong()
}

/** Someone who writes on pages. */
const visitor = '10200000000000009'

export interface Feed {
  routes: Route[]
  /** A photo of a page, which must be recent and unused; and what it became. */
  findPhoto(id: string, page: string): Photo
  usePhoto(photo: Photo, post: string): void
  /** Whether the page has such a post. */
  has(id: string, page: string): boolean
  /** Whether there was such a post of the page. */
  remove(id: string, page: string): boolean
  posts(): PublicPost[]
  /** Posts on a page: by the page, or by a visitor if `/visitors` follows its ID. */
  other(target: string, text: string): void
}

/** A page's feed and the photos that wait for it. */
export function openFeed(context: SimulatorContext, access: Access): Feed {
  const { clock, keep } = context
  const photos = keep<Photo>('photos')
  const posts = keep<StoredPost>('posts')

  async function upload(call: Call): Promise<Answer> {
    const page = access.assertPage(call)
    const form = readForm(call, PhotoForm)
    const file = await fetchMedia(form.url)
    if (file.kind === 'unreachable') {
      return refuse({ code: 100, message: `(#100) We could not fetch the photo from the url: ${file.why}` })
    }
    if (!/^image\/(jpeg|png)$/.test(file.type) || file.bytes.length > photoBytes) {
      const message = 'Your photos should be saved as JPG or PNG, smaller than 4 MB'
      return refuse({ code: 1, subcode: 1366046, message })
    }
    const media = keepMedia(context, file, form.alt_text_custom ?? '')
    const photo = { id: newId(), page: page.id, media, uploadedAt: clock.now(), post: null }
    photos.set(photo.id, photo)
    return { status: 200, body: { id: photo.id } }
  }

  function findPhoto(id: string, page: string): Photo {
    const photo = photos.get(id)
    if (photo?.page !== page || photo.uploadedAt + dayMs < clock.now()) {
      return refuse({ code: 100, subcode: 33, message: `The photo ${id} does not exist` })
    }
    if (photo.post === null) return photo
    return refuse({ code: 100, subcode: 1366051, message: 'These photos were already posted.' })
  }

  const usePhoto = (photo: Photo, post: string): void => photos.set(photo.id, { ...photo, post })

  /** The photos that a form names. */
  function readAttached(fields: Readonly<Record<string, string>>, page: string): Photo[] {
    const { attached_media: list, ...numbered } = fields
    const listed = list === undefined ? [] : readList(list).map((media, n) => [`attached_media[${n}]`, media] as const)
    return [...listed, ...Object.entries(numbered)].map(([name, value], n) => {
      if (name !== `attached_media[${n}]`) return refuse({ code: 100, message: `(#100) Param ${name} is not allowed` })
      return findPhoto(readId(value), page)
    })
  }

  function create(call: Call): Answer {
    const { id: page } = access.assertPage(call)
    const { message = '', link, ...more } = readForm(call, PostForm)
    const attached = readAttached(more, page)
    if (link !== undefined && !URL.canParse(link))
      refuse({ code: 100, subcode: 1609005, message: 'The link could not be read' })
    if (link !== undefined && attached.length > 0) {
      return refuse({ code: 100, message: '(#100) A link cannot be posted with attached_media' })
    }
    if (message === '' && link === undefined && attached.length === 0) {
      return refuse({ code: 100, message: '(#100) The post is empty' })
    }
    const since = clock.now() - repeatMs
    const repeated = posts
      .values()
      .some((post) => post.page === page && post.message === message && post.publishedAt > since)
    if (repeated && attached.length === 0) refuse({ code: 506, message: '(#506) Duplicate status message' })
    const { id, url } = add(page, {
      from: page,
      message,
      link: link ?? null,
      photos: attached.map((photo) => photo.id),
    })
    for (const photo of attached) usePhoto(photo, id)
    return { status: 200, body: call.query.get('fields') === 'id,permalink_url' ? { id, permalink_url: url } : { id } }
  }

  function add(page: string, made: Pick<StoredPost, 'from' | 'message' | 'link' | 'photos'>): StoredPost {
    const number = newId()
    const url = `https://www.facebook.com/${page}/posts/${number}`
    const stored = { id: `${page}_${number}`, page, ...made, url, publishedAt: clock.now() }
    posts.set(stored.id, stored)
    return stored
  }

  function other(target: string, message: string): void {
    const [page = '', who] = target.split('/')
    add(page, { from: who === 'visitors' ? visitor : page, message, link: null, photos: [] })
  }

  /** What the page itself has published; posts of others appear only in its feed. */
  function list(call: Call): Answer {
    const { id: page } = access.assertPage(call)
    const since = Number(call.query.get('since') ?? 0) * 1000
    const own = posts.values().filter((post) => post.page === page && post.from === page && post.publishedAt >= since)
    return showPage(context, call, own.toReversed(), show)
  }

  /** Including posts of visitors, which is why Facebook requires a permission that the app does not have. */
  function listFeed(call: Call): Answer {
    access.assertPage(call)
    const message =
      "(#10) This endpoint requires the 'pages_read_user_content' permission or the 'Page Public Content Access' feature."
    return refuse({ code: 10, message })
  }

  function show({ id, from, message, photos: shown, url, publishedAt }: StoredPost): object {
    const targets = shown.map((photo) => ({ target: { id: photo } }))
    const [only] = targets
    const data =
      targets.length > 1 ? [{ target: { id: 'album' }, subattachments: { data: targets } }] : only ? [only] : []
    return {
      id,
      from: { id: from },
      // Facebook strips surrounding white space.
      ...(message === '' ? {} : { message: message.trim() }),
      created_time: timestampOf(publishedAt),
      permalink_url: url,
      ...(data.length > 0 ? { attachments: { data } } : {}),
    }
  }

  function edit(call: Call): Answer {
    const { object = '' } = call.params
    const post = posts.get(object)
    if (post?.page !== access.pageOf(call).id) return refuse(unknownObject(object))
    posts.set(object, { ...post, message: readForm(call, EditForm).message })
    return { status: 200, body: { success: true } }
  }

  const feed = `/${version}/:page/feed`
  /** The ID of a post is prefixed with that of its page; the ID of a video is only a number. */
  const isPost = (_headers: unknown, _query: unknown, path: string) => path.includes('_')
  return {
    routes: [
      { method: 'POST', path: `/${version}/:page/photos`, operation: 'upload', answer: upload },
      { method: 'POST', path: feed, operation: 'create', answer: create },
      { method: 'GET', path: `/${version}/:page/published_posts`, operation: 'read', answer: list },
      { method: 'GET', path: feed, operation: 'feed', answer: listFeed },
      { method: 'POST', path: `/${version}/:object`, operation: 'edit', when: isPost, answer: edit },
    ],
    posts: () =>
      posts.values().map(({ page, message, photos: shown, url, publishedAt }) => ({
        account: facebookSeed.pages.find(({ id }) => id === page)?.name ?? page,
        text: message,
        media: shown.flatMap((id) => photos.get(id)?.media ?? []),
        replyTo: null,
        url,
        publishedAt,
      })),
    other,
    findPhoto,
    usePhoto,
    has: (id, page) => posts.get(id)?.page === page,
    remove: (id, page) => posts.get(id)?.page === page && posts.delete(id),
  }
}
