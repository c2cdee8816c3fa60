import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openBlobs } from '../../../infra/local/platforms/blobs.ts'
import { everyPlatform } from '../../../infra/local/platforms/every.ts'
import type { Mismatch } from '../../../infra/local/platforms/official-schema.ts'
import { storedMap } from '../../../infra/local/platforms/stored-map.ts'
import { bluesky } from './answers/bluesky.ts'
import type { Document } from './answers/documents.ts'
import { withoutFile } from './answers/none.ts'
import { openApiSources } from './answers/openapi.ts'
import type { RecordedAnswer } from './answers/record.ts'
import { slackSource } from './answers/slack.ts'
import { routeOf, type Source } from './answers/source.ts'
import { youtubeSource } from './answers/youtube.ts'

const sources: readonly Source[] = [bluesky, ...openApiSources, slackSource, youtubeSource]

const folder = process.env['ANSWERS'] ?? expect.fail('run "npm run test:judge -- official-clients"')
afterAll(() => rmSync(folder, { recursive: true }))

/** What the tests of the connectors were answered. */
const recorded = readdirSync(folder).flatMap((name) =>
  readFileSync(join(folder, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    // `record.ts` wrote it.
    .map((line) => JSON.parse(line) as RecordedAnswer),
)

const inMemory = {
  clock: { now: () => 0 },
  url: 'http://127.0.0.1',
  blobs: openBlobs(undefined),
  listing: { maxOnPage: 1 },
  keep: () => storedMap<never>(undefined),
}
/** The routes of a stand-in, without its pages for people. */
const routesOf = (platform: string) =>
  everyPlatform
    .filter(({ id }) => id === platform)
    .flatMap((connector) => connector.build(inMemory).routes)
    .filter(({ operation }) => operation !== 'authorize')
    .map(({ method, path }) => routeOf({ method, route: path }))

test('every platform has a file, or a reason why not', () => {
  for (const [platform, instead] of Object.entries(withoutFile)) {
    console.log(`${platform}: not checked: ${instead}`)
  }
  const named = [...sources.map(({ platform }) => platform), ...Object.keys(withoutFile)]
  expect(named.toSorted()).toEqual(everyPlatform.map(({ id }) => id).toSorted())
})

/** Routes that no connector calls. */
const uncalled: Readonly<Record<string, string>> = {
  'GET /xrpc/com.atproto.server.getSession': 'clients read the account of their session',
  'GET /xrpc/com.atproto.sync.getBlob': 'the page of `npm start` shows files',
  'GET /attachments/:channel/:attachment/:filename': 'the page of `npm start` shows files',
  'GET /api/v10/channels/:channel': 'clients in Python read the channel that they write to',
  'GET /api/v10/oauth2/applications/@me': 'clients in Python read their own application',
  'GET /api/v10/channels/:channel/messages/:message': 'clients in Python read what they have written',
  'GET /2/tweets/:id': 'clients in Python read what they have written',
  'GET /2/tweets': 'clients read several posts in one request',
  'GET /v5/pins/:pin': 'clients read what they have made',
  'GET /api/auth.test': 'the same as its POST',
  'GET /api/team.info': 'the same as its POST',
  'GET /api/conversations.list': 'the same as its POST',
  'GET /api/conversations.info': 'the same as its POST',
  'GET /api/conversations.history': 'the same as its POST',
  'GET /api/conversations.replies': 'the same as its POST',
  'GET /api/chat.getPermalink': 'the same as its POST',
  'GET /api/files.info': 'the same as its POST',
  'GET /api/v1/instance': 'clients of before Mastodon 4.0 read the limits of a server',
  'GET /.well-known/nodeinfo': 'clients read the software of a server',
  'GET /nodeinfo/2.0': 'clients read the software of a server',
  'GET /api/v1/statuses/:id/context': 'clients read the posts around one',
  'GET /api/v1/scheduled_statuses': 'clients show what is to come',
  'GET /api/v1/scheduled_statuses/:id': 'clients show what is to come',
  'DELETE /api/v1/scheduled_statuses/:id': 'clients take back what is to come',
  'GET /api/v2/instance': 'clients read the limits of a server',
  'GET /v25.0/:page/feed': 'tests read what the other list leaves out',
  'POST /api/v10/oauth2/token': 'the same as POST /api/oauth2/token',
}

const complaintsOf = (answer: RecordedAnswer, mismatches: readonly Mismatch[] = [], label = '') =>
  mismatches.map(({ path, message }) =>
    `${label} ${routeOf(answer)} ${answer.status}: ${path.join('.')} ${message}`.trim(),
  )

const issuesOf = ({ shape }: Document, { body }: RecordedAnswer): Mismatch[] =>
  (shape.safeParse(body).error?.issues ?? []).map(({ path, message }) => ({ path: path.map(String), message }))

test.each(sources)('$platform: its stand-in answers as $file describes', async ({
  platform,
  file,
  version,
  ...source
}) => {
  const routes = routesOf(platform)
  const answers = recorded.filter((answer) => answer.platform === platform && routes.includes(routeOf(answer)))
  const results = source.check(answers)
  const described = answers.filter((_, n) => results[n] !== undefined)
  const others = answers.filter((_, n) => results[n] === undefined)
  const groupOf = (answer: RecordedAnswer) =>
    answer.status >= 400 && 'rejections' in source.undescribed ? 'rejections' : routeOf(answer)
  const countOf = (list: readonly RecordedAnswer[], label = 'answers') =>
    `${list.length} ${label} of ${new Set(list.map(routeOf)).size} routes`
  console.log(`${platform}: ${countOf(described)} checked by ${file} (${version})`)
  const mismatches = answers.flatMap((answer, n) => complaintsOf(answer, results[n]))
  for (const [group, instead] of Object.entries(source.undescribed)) {
    const own = others.filter((answer) => groupOf(answer) === group)
    const isChecked = typeof instead === 'object'
    console.log(
      `  ${countOf(own)} ${isChecked ? `checked by ${instead.document}` : `not checked: ${instead}`}, ${group}`,
    )
    if (isChecked) mismatches.push(...own.flatMap((answer) => complaintsOf(answer, issuesOf(instead, answer))))
  }
  const sent = source.checkSent?.(answers) ?? []
  const withRequest = answers.filter((_, n) => sent[n] !== undefined)
  if (withRequest.length > 0) console.log(`  ${countOf(withRequest, 'requests')} checked by the same file`)
  mismatches.push(...answers.flatMap((answer, n) => complaintsOf(answer, sent[n], 'request')))
  expect([...new Set(mismatches)]).toEqual([])
  expect([...new Set(others.map(groupOf))].toSorted()).toEqual(Object.keys(source.undescribed).toSorted())
  expect(
    routes.filter((route) => !answers.some((answer) => routeOf(answer) === route) && !(route in uncalled)),
  ).toEqual([])
  expect(described.length).toBeGreaterThan(0)
  // A field more is found.
  const [first] = described.filter(({ body }) => typeof body === 'object' && !Array.isArray(body))
  const changed = { ...(first ?? expect.fail('no object')), body: { ...Object(first?.body), not_there: 1 } }
  expect(source.check([changed]).flat().length).toBeGreaterThan(0)
  for (const request of withRequest.slice(0, 1)) {
    const more = { ...request, sent: { ...Object(request.sent), not_there: 1 } }
    expect(source.checkSent?.([more]).flat().length).toBeGreaterThan(0)
  }
})
