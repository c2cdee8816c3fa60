import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Kit, start } from '../support/start.ts'
import { makeSocial, type Social } from './social.ts'

// .ci/run installs it; without it, what is left to see is how the command says so.
const hasJq = spawnSync('jq', ['--version']).status === 0

let kit: Kit
let social: Social
beforeAll(async () => {
  kit = await start({ time: 'real' })
  social = await makeSocial({
    SOCIAL_BASE_URL: kit.url,
    SOCIAL_TOKEN: kit.sessionToken,
    SOCIAL_WORKSPACE: kit.workspaceId,
  })
}, 120_000)
afterAll(async () => {
  social.remove()
  await kit.close()
})

const post = (text: string, filter: string) =>
  social.run(['post', text, '--account', 'bluesky', '--at', 'tomorrow 9:00', '--jq', filter])
const contents = async () => (await kit.api.posts.list({ query: { limit: 50 } })).items.map(({ content }) => content)

test.runIf(hasJq)('--jq prints what jq makes of the JSON, texts without quotes', async () => {
  const { workspaceId } = kit
  expect(await social.run(['workspaces', '--jq', '.[] | "\\(.name) \\(.id)"'])).toEqual({
    code: 0,
    stdout: `Acme ${workspaceId}\n`,
    stderr: '',
  })
  // A filter that begins with "-" is no option of jq.
  expect((await social.run(['workspaces', '--jq', '-1 + length'])).stdout).toBe('0\n')
  expect((await social.run(['api', 'workspaces', '--jq', '.data[0].id'])).stdout).toBe(`${workspaceId}\n`)
  expect(await post('One line for each result', '.[].status, .[].content')).toMatchObject({
    code: 0,
    stdout: 'scheduled\nOne line for each result\n',
  })
  // The filter gets one document after the other.
  const [now] = await kit.api.posts.publishNow({ body: { socialAccountIds: [kit.accounts.bluesky], content: 'Now' } })
  const watched = await social.run(['posts', 'watch', now?.id ?? '', '--jq', '.status'])
  expect(watched.stdout.trim().split('\n').at(-1)).toBe('published')
})

test.runIf(hasJq)('a filter that does not compile ends the command before it sends anything', async () => {
  const ended = await post('Never sent', '.[')
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(ended.stderr).toMatch(/^The filter of --jq is wrong\. jq: .+\n$/)
  expect(await contents()).not.toContain('Never sent')
})

test.runIf(hasJq)('a filter that fails at its data ends with 4, and the command is done', async () => {
  const ended = await post('Sent once', '.[0].content.length')
  expect(ended).toMatchObject({ code: 4, stdout: '' })
  expect(ended.stderr).toMatch(/^The command is done, but the filter of --jq failed\. jq: .+\n$/)
  expect((await contents()).filter((content) => content === 'Sent once')).toHaveLength(1)
})

test('without jq, the command says how to get it, and sends nothing', async () => {
  const ended = await social.run(['workspaces', '--jq', '.'], { env: { PATH: social.home } })
  expect(ended).toEqual({
    code: 2,
    stdout: '',
    stderr: '--jq needs jq. Install it (https://jqlang.org/download), or use --json.\n',
  })
})
