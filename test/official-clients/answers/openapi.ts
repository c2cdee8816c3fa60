import { officialAnswers } from '../../../infra/local/platforms/official-schema.ts'
import type { Source } from './source.ts'

const oauth = (path: string) => ({ [`POST ${path}`]: 'RFC 6749, sections 4.1.4 and 5.2' })

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
const rejections = 'Graph API, Handle Errors: error with message, type, and code'

/** Platforms with an OpenAPI document. */
export const openApiSources: readonly Source[] = [
  {
    platform: 'discord',
    file: 'discord/discord-api-spec specs/openapi.json',
    version: '10, 74fda0fa',
    check: (answers) => answers.map((one) => discord({ ...one, path: one.path.replace('/api/v10', '') })),
    undescribed: oauth('/api/oauth2/token'),
  },
  {
    platform: 'pinterest',
    file: 'pinterest/api-description v5/openapi.json',
    version: '5.23.0, c05b1897',
    check: (answers) => answers.map((one) => pinterest({ ...one, path: one.path.replace('/v5', '') })),
    undescribed: { 'POST /bucket/': 'Amazon S3, POST Object' },
  },
  {
    platform: 'x',
    file: 'https://api.x.com/2/openapi.json',
    version: '2.167',
    check: (answers) => answers.map(x),
    undescribed: { ...oauth('/2/oauth2/token'), 'POST /2/oauth2/revoke': 'RFC 7009; X answers revoked: true' },
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
    check: (answers) => answers.map((one) => facebook({ ...one, path: graphPath(one.path) })),
    undescribed: {
      rejections,
      'GET /v25.0/oauth/access_token': 'Facebook Login, Long-Lived Access Tokens',
      'POST /v25.0/:page/photo_stories': 'Page Stories API: success and post_id',
      'POST /v25.0/:page/video_stories': 'Page Stories API: video_id and upload_url; success and post_id',
      'POST /v25.0/:page/video_reels': 'Reels Publishing API: video_id and upload_url; success',
      'POST /video-upload/v25.0/:video': 'Reels Publishing API: success',
    },
  },
  {
    platform: 'instagram',
    ...graphSpecs,
    check: (answers) => answers.map((one) => instagram({ ...one, path: graphPath(one.path) })),
    undescribed: {
      rejections,
      'POST /oauth/access_token': 'Instagram Login, Exchange the Code For a Token',
    },
  },
]
