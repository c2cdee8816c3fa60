import { MultipartError, parseMultipart } from '../../pages/multipart.ts'
import type { Answer } from '../../pages/server.ts'
import { type Call, type PublicMedia, parseJson, type Route, type SimulatorContext } from '../standin.ts'
import { editable, listPage } from './list.ts'
import { refuse } from './refuse.ts'
import { type WordPressUser, wordpressSeed } from './seed.ts'

interface StoredMedia {
  id: number
  slug: string
  type: string
  filename: string
  altText: string
}

/** The types of this service that WordPress accepts, with their extensions (wp_get_mime_types). */
const extensions: Readonly<Record<string, RegExp>> = {
  'image/jpeg': /\.jpe?g$/,
  'image/png': /\.png$/,
  'image/gif': /\.gif$/,
  'image/webp': /\.webp$/,
  'video/mp4': /\.mp4$/,
  'video/quicktime': /\.mov$/,
}

/** The library of the site. */
export function openMedia(
  { blobs, keep, listing }: SimulatorContext,
  userOf: (call: Call) => WordPressUser,
  nextId: () => number,
) {
  const media = keep<StoredMedia>('media')

  function partsOf(call: Call) {
    try {
      return parseMultipart(call.headers['content-type'] ?? '', call.body)
    } catch (error) {
      if (error instanceof MultipartError) return refuse(400, 'rest_upload_no_data', 'No data supplied.')
      throw error
    }
  }
  function upload(call: Call): Answer {
    const user = userOf(call)
    if (user.capabilities['upload_files'] !== true) {
      refuse(400, 'rest_cannot_create', 'Sorry, you are not allowed to upload media on this site.')
    }
    const parts = partsOf(call)
    const textOf = (name: string) => parts.find((part) => part.name === name)?.bytes.toString() ?? ''
    const file = parts.find(({ name }) => name === 'file')
    if (file === undefined) return refuse(400, 'rest_upload_no_data', 'No data supplied.')
    const filename = (file.filename ?? '').toLowerCase()
    if (extensions[file.type ?? '']?.test(filename) !== true) {
      refuse(500, 'rest_upload_unknown_error', 'Sorry, you are not allowed to upload this file type.')
    }
    const id = nextId()
    const slug = textOf('slug') || `file-${id}`
    blobs.put(String(id), file.bytes)
    const stored = { id, slug, type: file.type ?? '', filename, altText: textOf('alt_text') }
    media.set(String(id), stored)
    return { status: 201, body: show(stored) }
  }
  /** Everyone may read the library. */
  function list(call: Call): Answer {
    const slugs = call.query.get('slug')?.split(',')
    const matching = media.values().filter(({ slug }) => slugs?.includes(slug) ?? true)
    return listPage(listing, call, matching, show)
  }
  function update(call: Call): Answer {
    userOf(call)
    const stored = media.get(call.params['id'] ?? '')
    if (stored === undefined) return refuse(404, 'rest_post_invalid_id', 'Invalid post ID.')
    const sent = parseJson(call.body, () => refuse(400, 'rest_invalid_json', 'Invalid JSON body passed.'))
    const next = { ...stored, altText: String(Object(sent).alt_text ?? stored.altText) }
    media.set(String(next.id), next)
    return { status: 200, body: show(next) }
  }
  const urlOf = ({ id, filename }: StoredMedia) =>
    `https://${wordpressSeed.site}/wp-content/uploads/${id}-${encodeURIComponent(filename)}`
  function show(stored: StoredMedia): Record<string, unknown> {
    const { id, slug, altText, type } = stored
    const [kind] = type.split('/')
    return {
      id,
      slug,
      alt_text: altText,
      mime_type: type,
      source_url: urlOf(stored),
      type: 'attachment',
      status: 'inherit',
      media_type: kind === 'image' ? kind : 'file',
      post: null,
      media_details: { file: `${id}-${stored.filename}`, sizes: {} },
    }
  }
  /** The files of a post: the featured image, then the files that its content names. */
  function toPublic(featured: number, content: string): PublicMedia[] {
    const own = media.values().filter((file) => file.id === featured || content.includes(urlOf(file)))
    return own.map(({ id, type, altText }) => ({ key: String(id), type, alt: altText }))
  }
  const at = '/wp/v2/media'
  const routes: Route[] = [
    { method: 'POST', path: at, operation: 'upload', answer: upload },
    { method: 'GET', path: at, operation: 'media', answer: list },
    ...editable({ method: 'POST', path: `${at}/:id`, operation: 'describe', answer: update }),
  ]
  return { routes, toPublic, has: (id: number) => media.get(String(id)) !== undefined }
}
