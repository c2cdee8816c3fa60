import youtube from '../node_modules/@googleapis/youtube/package.json' with { type: 'json' }
import { googleErrors, oauth } from './documents.ts'
import type { RecordedAnswer } from './record.ts'
import { routeOf, type Source } from './source.ts'
import { checkTypes } from './types.ts'

/** The resource that each route answers with. */
const resources: Readonly<Record<string, string>> = {
  'GET /youtube/v3/channels': 'ChannelListResponse',
  'GET /youtube/v3/playlistItems': 'PlaylistItemListResponse',
  'POST /youtube/v3/playlistItems': 'PlaylistItem',
  'GET /youtube/v3/videos': 'VideoListResponse',
  'PUT /youtube/v3/videos': 'Video',
  'GET /youtube/v3/commentThreads': 'CommentThreadListResponse',
  'POST /youtube/v3/commentThreads': 'CommentThread',
  'POST /upload/youtube/v3/captions': 'Caption',
  'POST /upload/youtube/v3/thumbnails/set': 'ThumbnailSetResponse',
  'POST /upload/youtube/v3/videos': 'Video',
  'PUT /upload/youtube/v3/videos': 'Video',
}

const typeOf = (one: RecordedAnswer) => `youtube_v3.Schema$${resources[routeOf(one)]}`
const imports = "import type { youtube_v3 } from '@googleapis/youtube'"
const isResource = (one: RecordedAnswer) => one.status === 200 && one.body !== undefined && routeOf(one) in resources

export const youtubeSource: Source = {
  platform: 'youtube',
  file: 'types of @googleapis/youtube, made from the discovery document of v3',
  version: youtube.version,
  check(answers) {
    const shown = answers.filter(isResource)
    const typed = shown.map((one) => ({ type: typeOf(one), body: one.body }))
    const checked = checkTypes(imports, typed)
    return answers.map((one) => {
      if (routeOf(one) === 'DELETE /youtube/v3/videos' && one.status === 204 && one.body === undefined) return []
      return isResource(one) ? checked[shown.indexOf(one)] : undefined
    })
  },
  checkSent(answers) {
    const sent = answers.filter((one) => one.sent !== undefined && routeOf(one) in resources)
    const typed = sent.map((one) => ({ type: typeOf(one), body: one.sent }))
    const checked = checkTypes(imports, typed)
    return answers.map((one) => checked[sent.indexOf(one)])
  },
  undescribed: {
    rejections: googleErrors,
    'POST /token': oauth,
    'POST /revoke': 'Google, Using OAuth 2.0 for web servers: 200',
    'POST /upload/youtube/v3/videos': 'Google, Resumable uploads: 200 with a Location',
    'PUT /upload/youtube/v3/videos': 'Google, Resumable uploads: 308 with a Range',
  },
}
