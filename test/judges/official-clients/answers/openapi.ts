import { type Mismatch, officialAnswers, officialCheck } from '../../../../infra/local/platforms/official-schema.ts'
import { graphErrors, graphUploads, instagramToken, oauth } from './documents.ts'
import type { RecordedAnswer } from './record.ts'
import { routeOf, type Source } from './source.ts'

/** Discord's document gives the codes of invalid fields as numbers; they are names (Discord, Error Messages). */
const discordError = { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } }

const discord = officialAnswers('discord/schema/answers.json', {
  InnerErrors: { _errors: { type: 'array', items: discordError } },
})
const pinterest = officialAnswers('pinterest/schema/answers.json')
const x = officialAnswers('x/schema/answers.json')
const mastodon = officialAnswers('mastodon/schema/answers.json')

const graphPath = (path: string) => path.replace('/v25.0', '')
const facebook = officialAnswers('facebook/schema/answers.json')
const instagram = officialAnswers('instagram/schema/answers.json')
const graphSpecs = { file: 'facebook/facebook-business-sdk-codegen api_specs/specs', version: 'v25.0, ad2b0b6f' }

/** Checks what was sent by routes. */
const bodyChecker =
  (checks: Readonly<Record<string, (body: unknown) => readonly Mismatch[]>>) =>
  (answer: RecordedAnswer): readonly Mismatch[] | undefined =>
    answer.sent === undefined ? undefined : checks[routeOf(answer)]?.(answer.sent)

/** Its stand-in checks messages by the same schema, and more of them: those with files are forms. */
const message = officialCheck('discord/schema/discord.json', 'MessageCreateRequest')
const pinterestBodies = {
  'POST /v5/pins': officialCheck('pinterest/schema/pinterest.json', 'PinCreate'),
  'POST /v5/boards': officialCheck('pinterest/schema/pinterest.json', 'BoardCreate'),
  'POST /v5/media': officialCheck('pinterest/schema/pinterest.json', 'MediaUploadCreate'),
}

const xBodies = {
  'POST /2/tweets': officialCheck('x/schema/answers.json', 'CreatePostsRequest'),
  'POST /2/media/upload/initialize': officialCheck('x/schema/answers.json', 'InitializeMediaUploadRequest'),
  'POST /2/media/metadata': officialCheck('x/schema/answers.json', 'CreateMediaMetadataRequest'),
  'POST /2/media/subtitles': officialCheck('x/schema/answers.json', 'CreateMediaSubtitlesRequest'),
}

/** Platforms with an OpenAPI document. */
export const openApiSources: readonly Source[] = [
  {
    platform: 'discord',
    file: 'discord/discord-api-spec specs/openapi.json',
    version: '10, 74fda0fa',
    check: (answers) => answers.map((answer) => discord({ ...answer, path: answer.path.replace('/api/v10', '') })),
    undescribed: { 'POST /api/oauth2/token': oauth },
    checkSent: (answers) => answers.map(bodyChecker({ 'POST /api/v10/channels/:channel/messages': message })),
  },
  {
    platform: 'pinterest',
    file: 'pinterest/api-description v5/openapi.json',
    version: '5.23.0, c05b1897',
    check: (answers) => answers.map((answer) => pinterest({ ...answer, path: answer.path.replace('/v5', '') })),
    undescribed: { 'POST /bucket/': 'Amazon S3, POST Object' },
    checkSent: (answers) => answers.map(bodyChecker(pinterestBodies)),
  },
  {
    platform: 'x',
    file: 'https://api.x.com/2/openapi.json',
    version: '2.167',
    check: (answers) => answers.map(x),
    checkSent: (answers) => answers.map(bodyChecker(xBodies)),
    undescribed: { 'POST /2/oauth2/token': oauth, 'POST /2/oauth2/revoke': 'RFC 7009; X answers revoked: true' },
  },
  {
    platform: 'mastodon',
    file: 'abraham/mastodon-openapi dist/schema.json, made by others from the official documents',
    version: '4.7.0, 89b11e72',
    check: (answers) => answers.map(mastodon),
    undescribed: {},
  },
  {
    platform: 'facebook',
    ...graphSpecs,
    check: (answers) => answers.map((answer) => facebook({ ...answer, path: graphPath(answer.path) })),
    undescribed: {
      rejections: graphErrors,
      'GET /v25.0/oauth/access_token': oauth,
      'POST /v25.0/:page/photo_stories': graphUploads,
      'POST /v25.0/:page/video_stories': graphUploads,
      'POST /v25.0/:page/video_reels': graphUploads,
      'POST /video-upload/v25.0/:video': graphUploads,
    },
  },
  {
    platform: 'instagram',
    ...graphSpecs,
    check: (answers) => answers.map((answer) => instagram({ ...answer, path: graphPath(answer.path) })),
    undescribed: {
      rejections: graphErrors,
      'POST /oauth/access_token': instagramToken,
    },
  },
]
