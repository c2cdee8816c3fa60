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

const typeOf = (answer: RecordedAnswer) => `youtube_v3.Schema$${resources[routeOf(answer)]}`
const imports = "import type { youtube_v3 } from '@googleapis/youtube'"
const isResource = (answer: RecordedAnswer) =>
  answer.status === 200 && answer.body !== undefined && routeOf(answer) in resources

export const youtubeSource: Source = {
  platform: 'youtube',
  file: 'types of @googleapis/youtube, made from the discovery document of v3',
  version: youtube.version,
  check(answers) {
    const shown = answers.filter(isResource)
    const typed = shown.map((answer) => ({ type: typeOf(answer), body: answer.body }))
    const checked = checkTypes(imports, typed)
    return answers.map((answer) => {
      if (routeOf(answer) === 'DELETE /youtube/v3/videos' && answer.status === 204 && answer.body === undefined)
        return []
      return isResource(answer) ? checked[shown.indexOf(answer)] : undefined
    })
  },
  checkSent(answers) {
    const sent = answers.filter((answer) => answer.sent !== undefined && routeOf(answer) in resources)
    const typed = sent.map((answer) => ({ type: typeOf(answer), body: answer.sent }))
    const checked = checkTypes(imports, typed)
    return answers.map((answer) => checked[sent.indexOf(answer)])
  },
  undescribed: {
    rejections: googleErrors,
    'POST /token': oauth,
    'POST /revoke': 'Google, Using OAuth 2.0 for web servers: 200',
    'POST /upload/youtube/v3/videos': 'Google, Resumable uploads: 200 with a Location',
    'PUT /upload/youtube/v3/videos': 'Google, Resumable uploads: 308 with a Range',
  },
}
