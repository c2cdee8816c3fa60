import { createServer } from 'node:http'
import examples from '@octokit/webhooks-examples' with { type: 'json' }
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createClient } from '../../../infra/clients/javascript/src/index.ts'
import { listen } from '../../net/listen.ts'
import { useService } from '../../start/one-service.ts'
import { makeRunner, type Step } from './runner.ts'

const local = useService()
let runner: Awaited<ReturnType<typeof makeRunner>>
beforeAll(async () => {
  runner = await makeRunner()
})
afterAll(() => runner.remove())

const Release = z.looseObject({ id: z.int(), tag_name: z.string(), html_url: z.string(), body: z.nullable(z.string()) })

/** An event as GitHub sends it: one of GitHub's examples. */
const published = examples
  .flatMap((each) => (each.name === 'release' ? each.examples : []))
  .find((each) => 'action' in each && each.action === 'published')

let release: z.infer<typeof Release>
let releases = 17_372_790
/** Another release for each test, with what the test says about it. */
const releaseWith = (changes: Readonly<Record<string, unknown>>) => {
  const example = Release.parse(published !== undefined && 'release' in published ? published.release : undefined)
  release = Release.parse({ ...example, id: releases, ...changes })
  return { ...published, release }
}
let event: ReturnType<typeof releaseWith>
beforeEach(() => {
  releases += 1
  event = releaseWith({
    name: `Release ${releases}`,
    html_url: `https://github.com/Codertocat/Hello-World/releases/${releases}`,
  })
})

const post = (inputs: Record<string, string> = {}, env: Record<string, string> = {}): Promise<Step> => {
  const { baseUrl, pat, workspaceId } = local.service
  const always = { 'base-url': baseUrl, token: pat, 'workspace-id': workspaceId, accounts: 'bluesky', wait: '60' }
  return runner.run({ inputs: { ...always, ...inputs }, event, env })
}

const client = () => {
  const { baseUrl, pat, workspaceId } = local.service
  return createClient({ baseUrl, token: pat, workspaceId })
}

const Published = z.array(z.looseObject({ platform: z.string(), text: z.string() }))
const live = async (word = String(releases)) =>
  Published.parse(await (await fetch(`${local.service.platformsUrl}/published`)).json()).filter(({ text }) =>
    text.includes(word),
  )

const json = (text: string | undefined) => JSON.parse(text ?? 'null')

test('posts the name and the address, waits until they are live, and prints their URLs', async () => {
  const step = await post({ accounts: 'mastodon\nbluesky' })
  expect([step.code, step.commands('error')]).toEqual([0, []])
  expect((await live()).map(({ platform, text }) => [platform, text]).sort()).toEqual(
    ['bluesky', 'mastodon'].map((platform) => [platform, `Release ${releases}\n${release.html_url}`]),
  )
  expect(json(step.outputs['post-ids'])).toHaveLength(2)
  const urls = json(step.outputs['urls'])
  expect(urls[1]).toContain('bsky.app/profile/')
  expect(step.summary.match(/<tr>/g)).toHaveLength(3)
  for (const url of urls) expect(step.summary).toContain(`<a href="${url}">`)
  expect(step.commands('add-mask')).toContain(local.service.pat)
})

test('a job that runs again posts once, also if the notes were edited, and for a new account', async () => {
  const first = await post()
  event = { ...event, release: { ...release, name: `Edited ${releases}` } }
  const second = await post()
  expect([first.code, second.code]).toEqual([0, 0])
  expect(second.outputs).toEqual(first.outputs)
  const third = await post({ accounts: 'bluesky, mastodon' })
  expect(json(third.outputs['post-ids'])).toEqual([json(first.outputs['post-ids'])[0], expect.any(String)])
  expect((await live()).map(({ text }) => text.split(' ')[0]).sort()).toEqual(['Edited', 'Release'])
})

test('two jobs at the same moment post once; another post-key posts again', async () => {
  const steps = await Promise.all([post(), post(), post({ 'post-key': 'again', text: 'Once more: {name}' })])
  expect(steps.map(({ code }) => code)).toEqual([0, 0, 0])
  expect((await live()).map(({ text }) => text.slice(0, 4)).sort()).toEqual(['Once', 'Rele'])
})

test('a dry run checks, and publishes nothing', async () => {
  const step = await post({ 'dry-run': 'true', accounts: 'bluesky,x' })
  expect([step.code, step.outputs]).toEqual([0, { 'post-ids': '[]', urls: '[]' }])
  expect(step.summary.match(/<td>valid<\/td>/g)).toHaveLength(2)
  expect(step.log).toContain(`Release ${releases}`)
  expect(await live()).toEqual([])
})

test('a rejected post fails the step with each reason, and nothing is published', async () => {
  const step = await post({ accounts: 'bluesky,slack,x', text: `{name} ${'long '.repeat(100)}` })
  expect(step.code).toBe(1)
  const errors = step.commands('error')
  expect(errors.map((each) => /(?:bluesky|slack|x):/.exec(each)?.[0]).sort()).toEqual(['bluesky:', 'slack:', 'x:'])
  expect(errors.join('\n')).toMatch(/Nothing was published: .*Shorten the text by \d+ characters/s)
  expect(errors.join('\n')).toContain('metadata.slack')
  expect(await live()).toEqual([])
})

test('metadata goes to its platform', async () => {
  const [channel] = (await client().socialAccounts.slackChannels()).channels
  const step = await post({ accounts: 'slack', metadata: JSON.stringify({ slack: { channelId: channel?.id } }) })
  expect([step.code, step.commands('error')]).toEqual([0, []])
  expect(await live()).toMatchObject([{ platform: 'slack' }])
})

test('notes are cut where each platform has its limit, and elsewhere they are whole', async () => {
  event = releaseWith({ name: null, body: `Notes ${releases}: ${'👩‍👩‍👧 a word {url}, '.repeat(60)}the end` })
  const step = await post({ accounts: 'bluesky,x,linkedin', text: '{tag}: {body}\n{url}', 'shorten-body': 'true' })
  expect([step.code, step.commands('error')]).toEqual([0, []])
  const texts = Object.fromEntries((await live(`Notes ${releases}`)).map(({ platform, text }) => [platform, text]))
  expect(texts['linkedin']).toBe(`0.0.1: ${release.body}\n${release.html_url}`)
  for (const platform of ['bluesky', 'x'])
    expect(texts[platform]).toMatch(/^0\.0\.1: Notes [\s\S]+…\nhttps:\/\/github\.com\//)
  // One more character of the notes would be too much.
  const graphemes = [...new Intl.Segmenter().segment(texts['bluesky'] ?? '')].length
  expect(graphemes).toBeGreaterThan(297)
  expect(graphemes).toBeLessThanOrEqual(300)
})

test('a text that leaves no room for the notes is refused unchanged', async () => {
  event = releaseWith({ body: 'Notes' })
  const step = await post({ text: `${'long '.repeat(100)}{body}`, 'shorten-body': 'true' })
  expect([step.code, step.commands('error').join()]).toEqual([1, expect.stringContaining('Shorten the text')])
})

test('scheduled posts are not waited for, and a later run finds them', async () => {
  const at = new Date(Date.now() + 86_400_000).toISOString()
  const inputs = { 'scheduled-at': at, wait: '' }
  const [first, second] = [await post(inputs), await post(inputs)]
  expect([first.code, second.outputs]).toEqual([0, first.outputs])
  const [id] = json(first.outputs['post-ids'])
  expect(await client().posts.get(id)).toMatchObject({ status: 'scheduled', scheduledAt: at })
  expect(first.commands('warning')).toEqual([])
})

/** Lets the next post on Bluesky go wrong. */
const breakNext = async (fault: object) => {
  const body = JSON.stringify({ platform: 'bluesky', operation: 'create', times: 1, ...fault })
  expect((await fetch(`${local.service.platformsUrl}/faults`, { method: 'POST', body })).status).toBe(200)
}

test('a post that fails fails the step, and the next run tries it again, once', async () => {
  await breakNext({ fault: 'status', status: 400, body: { error: 'InvalidRequest' } })
  const first = await post()
  expect([first.code, first.commands('error').join()]).toEqual([1, expect.stringContaining('bluesky:')])
  expect(first.summary).toContain('<td>failed</td>')
  const [second, third] = [await post(), await post()]
  expect([second.code, third.code, third.outputs]).toEqual([0, 0, second.outputs])
  expect(await live()).toHaveLength(1)
})

test('a post that is still publishing after the wait is a warning', async () => {
  await breakNext({ fault: 'slow', delayMs: 6_000 })
  const step = await post({ wait: '1' })
  expect([step.code, step.commands('warning').join()]).toEqual([
    0,
    expect.stringContaining('not published after 1 seconds'),
  ])
  expect((await post()).outputs['urls']).toContain('bsky.app')
})

test('the release of a tag is read from GitHub', async () => {
  const received: unknown[] = []
  const github = createServer((request, response) => {
    const { url, headers } = request
    received.push([url, headers.authorization])
    response.writeHead(url?.endsWith('/v1%2F0') ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(release))
  })
  const env = { GITHUB_API_URL: `http://127.0.0.1:${await listen(github)}`, GITHUB_EVENT_NAME: 'push' }
  const result = await runWithoutRelease({ tag: 'v1/0' }, env)
  expect([result.code, (await live()).length]).toEqual([0, 1])
  expect(received).toEqual([['/repos/Codertocat/Hello-World/releases/tags/v1%2F0', 'Bearer ghs_of_the_job']])
  const missing = await runWithoutRelease({ tag: 'v2' }, env)
  expect([missing.code, missing.commands('error')]).toEqual([
    1,
    ['Codertocat/Hello-World has no published release with the tag "v2".'],
  ])
  github.close()
  const none = await runWithoutRelease({}, env)
  expect([none.code, none.commands('error')]).toEqual([
    1,
    ['The event push has no release. Run on "release", or set the input tag.'],
  ])
})

const runWithoutRelease = (inputs: Record<string, string>, env: Record<string, string>) => {
  const { baseUrl, pat, workspaceId } = local.service
  const always = { 'base-url': baseUrl, token: pat, 'workspace-id': workspaceId, accounts: 'bluesky' }
  return runner.run({ inputs: { ...always, ...inputs }, event: { ref: 'refs/tags/v1' }, env })
}

test('names and notes of others are text: no command, no markup, no placeholder', async () => {
  const name = `${releases} <img src=x onerror=alert(1)> {body}\r\n::error::hacked\n::set-output name=urls::[] | "quoted" & more`
  event = releaseWith({ name })
  const step = await post({ text: '{name}', accounts: 'bluesky' })
  expect([step.code, step.outputs['urls']]).toEqual([0, expect.stringContaining('bsky.app')])
  expect((await live()).map(({ text }) => text)).toEqual([name.replace('\r\n', '\n')])
  expect(step.summary).not.toContain('<img')
  expect(step.summary).toContain('&lt;img src=x onerror=alert(1)&gt;')
  // The log shows the text, and no line of it is a command of the runner.
  expect(step.commands('error')).toEqual([])
  expect(step.commands('set-output')).toEqual([])
})

test('a wrong token fails with the message of the service, and is not in the log', async () => {
  const token = 'svc_pat_0123456789abcdef_wrong'
  const step = await post({ token })
  expect(step.code).toBe(1)
  expect(step.commands('error').join()).toMatch(/\(code \w+, request .+\)$/)
  expect(step.log.replaceAll(/^::add-mask::.*$/gm, '')).not.toContain(token)
})

test.each([
  [{ 'base-url': '' }, 'Input required and not supplied: base-url'],
  [{ 'base-url': 'api.example.com' }, 'base-url is "api.example.com", not the address of a service'],
  [{ 'base-url': 'http://api.example.com' }, 'base-url must use https'],
  [{ accounts: 'bluesky, nobody' }, 'accounts: "nobody" is no account of the workspace. Its accounts are: '],
  [{ accounts: ' , ' }, 'accounts is empty. Name accounts or platforms.'],
  [{ text: '{title}' }, 'text has {title}. Use {name}, {tag}, {url}, and {body}.'],
  [{ metadata: '[1]' }, 'metadata is not a JSON object by platform'],
  [{ metadata: 'slack: C1' }, 'metadata is not a JSON object by platform'],
  [{ wait: '3601' }, 'wait is "3601". Use whole seconds, from 0 to 3600.'],
  [{ wait: 'long' }, 'wait is "long".'],
  [{ 'dry-run': 'perhaps' }, 'Input does not meet YAML 1.2 "Core Schema" specification: dry-run'],
  [{ 'post-key': 'two words' }, 'post-key is "two words".'],
  [{ 'scheduled-at': '2020-01-01T09:00:00Z' }, 'must be in the future'],
  [{ 'scheduled-at': 'tomorrow' }, 'scheduledAt'],
  [{ 'workspace-id': 'ws_other' }, 'code '],
])('%j is refused with one sentence', async (inputs, sentence) => {
  const step = await post(inputs)
  expect([step.code, step.commands('error').join('\n')]).toEqual([1, expect.stringContaining(sentence)])
  expect(step.log).not.toMatch(/\n {4}at /)
  expect(await live()).toEqual([])
})

test('a draft is refused', async () => {
  event = releaseWith({ draft: true })
  expect((await post()).commands('error')).toEqual([expect.stringContaining('is a draft')])
})
