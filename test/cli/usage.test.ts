import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeProgram } from '../../infra/clients/cli/src/program.ts'
import { makeSocial, type Social } from './social.ts'

let social: Social
beforeAll(async () => {
  social = await makeSocial()
  writeFileSync(join(social.home, 'unknown.csv'), 'accounts,content,when\nx,a,b\n')
  writeFileSync(join(social.home, 'short.csv'), 'accounts,content\nx\n')
  writeFileSync(join(social.home, 'quote.csv'), 'accounts,content\nx,"a\n')
  writeFileSync(join(social.home, 'empty.csv'), 'accounts,content\n')
  writeFileSync(join(social.home, 'no-content.csv'), 'accounts,at\nx,tomorrow\n')
  writeFileSync(join(social.home, 'empty.png'), '')
  writeFileSync(join(social.home, 'photo.HEIC'), 'a')
  writeFileSync(join(social.home, 'film.webm'), 'a')
  writeFileSync(join(social.home, 'notes.txt'), 'a')
  writeFileSync(join(social.home, 'latin.txt'), Buffer.from([0xe4, 0xff]))
})
afterAll(() => social.remove())

const pathsOf = (): string[][] => {
  const { program } = makeProgram({}, new AbortController().signal)
  const under = (command: typeof program, path: string[]): string[][] =>
    command.commands.flatMap((child) => [
      [...path, child.name()],
      ...under(child as typeof program, [...path, child.name()]),
    ])
  return under(program, [])
}

test('the help of every command fits a terminal of 80 columns and 24 lines, that of all of them 80 columns', async () => {
  const paths = pathsOf()
  expect(paths.length).toBeGreaterThan(35)
  const helps = await Promise.all(
    [[], ...paths].map(async (path) => ({ path: path.join(' '), ...(await social.run([...path, '--help'])) })),
  )
  for (const { path, code, stdout, stderr } of helps) {
    expect([path, code, stderr]).toEqual([path, 0, ''])
    const lines = stdout.trimEnd().split('\n')
    expect([path, lines.filter((line) => line.length > 80)]).toEqual([path, []])
    // One more line is the prompt.
    if (path !== '') expect([path, lines.length <= 23]).toEqual([path, true])
  }
}, 120_000)

test.each([
  [['--profile', 'a'], 'Name a command. See "social --help".'],
  [['pots'], 'Unknown command \'pots\' (Did you mean one of post, posts?) See "social --help".'],
  [
    ['posts', 'lst'],
    '"lst" is not a command of "social posts". Its commands are list, get, watch, cancel, reschedule, edit.',
  ],
  [['post', 'Hello', 'world'], 'Put the text in quotes.'],
  [['post', '--acount', 'x'], 'Unknown option \'--acount\' (Did you mean --account?) See "social post --help".'],
  [['post', 'Hello', '--at', 'tomorrow'], '"tomorrow" has no time of day. Add one, for example "tomorrow 9:00".'],
  [['post', 'Hello', '--at', 'yesterday 9:00'], 'which is in the past.'],
  [['post', 'Hello', '--at', '1.12.2029 9:00'], 'can mean two days.'],
  [['post', 'Hello', '--at', 'soon'], '"soon" is not a time that can be read.'],
  [['post', 'Hello', '--at', 'tomorrow 9:00', '--zone', 'Berlin'], '"Berlin" is not a time zone.'],
  [['post', 'Hello', '--media', 'cat.png'], 'There is no file "cat.png".'],
  [['post', 'Hello', '--media', 'empty.png'], '"empty.png" is empty. Choose another file.'],
  [
    ['post', 'Hello', '--media', 'photo.HEIC'],
    '"photo.HEIC" is an image of a type that no platform takes. Save it as JPEG or PNG.',
  ],
  [
    ['post', 'Hello', '--media', 'film.webm'],
    '"film.webm" is a video of a type that no platform takes. Save it as MP4.',
  ],
  [
    ['post', 'Hello', '--media', 'notes.txt'],
    '"notes.txt" is not an image, a video, a document, or captions by its name.',
  ],
  [['post', 'Hello', '--alt', 'A cat'], 'Each --alt belongs to one --media'],
  [['post', 'Hello', '--file', 'notes.txt'], 'Give the text once'],
  [['post', '--file', 'notes.txt', '--file', 'latin.txt'], '"latin.txt" is not text in UTF-8.'],
  [['post', '--file', 'notes.txt', '--file', 'notes.txt'], 'add --thread'],
  [['post', '--file', 'no.txt'], 'There is no file "no.txt".'],
  [['post', ''], 'The text is missing'],
  [['post', '--thread', 'One part'], 'A thread has at least 2 parts.'],
  [['post', 'Hello', '--metadata', '[1]'], '--metadata must be a JSON object by platform'],
  [['post', 'Hello', '--timeout', 'soon'], 'It must be a whole number from 1 to 86400.'],
  [['posts', 'get'], 'Missing required argument \'id\'. See "social posts get --help".'],
  [['posts', 'get', '../x'], '"../x" is not the ID of a post.'],
  [['posts', 'reschedule', '01K9'], "Required option '--at <time>' not specified."],
  [['posts', 'list', '--from', 'tomorrow 9:00', '--to', 'tomorrow 9:00'], '--to must be later than --from.'],
  [['posts', 'list', '--from', 'soon'], '"soon" is not a time that can be read.'],
  [['posts', 'list', '--limit', '0'], 'It must be a whole number from 1 to 10000.'],
  [['posts', 'list', '--status', 'done'], 'Allowed choices are scheduled, published, failed, cancelled.'],
  [['accounts', 'connect', 'myspace'], 'Allowed choices are x, bluesky'],
  [['bulk'], "Missing required argument 'file'."],
  [['bulk', 'no.csv'], 'There is no file "no.csv".'],
  [
    ['bulk', 'unknown.csv'],
    '"when" is not a column. The columns are accounts, content, at, media, externalId, metadata.',
  ],
  [['bulk', 'short.csv'], 'row 2 has more or fewer cells than the first line.'],
  [['bulk', 'quote.csv'], 'A quote is opened and not closed.'],
  [['bulk', 'empty.csv'], 'has no rows.'],
  [['bulk', 'no-content.csv'], 'the column "content" is missing'],
  [['bulk', '.'], '"." is a folder, not a file.'],
  [['login'], 'Name the address of the service: social login https://api.example.com'],
  [['login', 'api.example.com'], '"api.example.com" is not the address of a service'],
  [['login', 'http://api.example.com'], 'must use https'],
  [['login', 'https://api.example.com', '--profile', 'a b'], 'is not a name for a profile'],
  [['webhooks', 'create', 'example'], '"example" is not a URL'],
  [['webhooks', 'listen', 'port'], '"port" is not a port or a URL.'],
  [['webhooks', 'listen', '4000', '--events', 'post.gone'], '"post.gone" is not an event type.'],
  [['webhooks', 'replay', 'whe_1', '--since', 'noonish'], 'is not a time that can be read'],
  [['trigger', 'whe_1', '--timeout', '601'], 'It must be a whole number from 1 to 600.'],
  [['logs', '--types', 'post.gone'], '"post.gone" is not an event type.'],
  [['api'], 'Missing required argument \'request\'. See "social api --help".'],
  [['api', 'FETCH', 'posts'], '"FETCH" is not a method. The methods are GET, POST, PUT, PATCH, DELETE.'],
  [['api', 'GET', 'posts', 'drafts'], 'Give a method and a path: social api POST posts/validate'],
  [['api', 'drafts', '-f', 'content'], '--field takes a name, "=", and a value.'],
  [['api', 'drafts', '-F', 'content=Hello'], 'The value of "content" is not JSON. Give a text with --field.'],
  [['api', 'drafts', '-H', 'If-Match'], '--header takes a name, ":", and a value.'],
  [['api', 'drafts', '-H', 'If Match: 1'], '"If Match" cannot be sent as a header.'],
  [['api', 'drafts', '-H', 'Authorization: Bearer x'], 'The token is that of the sign-in.'],
  [['api', 'GET', 'drafts', '--input', 'notes.txt'], 'A GET has no body. Leave out --input.'],
  [['api', 'drafts', '--input', 'notes.txt', '-f', 'a=b'], 'Give the body once: with --input, or with fields.'],
  [['api', 'DELETE', 'drafts', '--paginate'], '--paginate is for GET.'],
  [['open', 'nothing'], 'Allowed choices are workspace, workspaces, docs, guides.'],
  [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish, powershell.'],
])('%j ends with 2 and one line that helps', async (args, sentence) => {
  const { code, stdout, stderr } = await social.run(args)
  expect(stderr).toContain(sentence)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect([code, stdout]).toEqual([2, ''])
  const document = await social.json(args)
  expect(document).toMatchObject({
    code: 2,
    data: { error: { code: 'usage', message: stderr.trimEnd() }, exitCode: 2 },
  })
})

test.each([
  [{ SOCIAL_TOKEN: 'svc_pat_abcdefghijkl' }, 'Set SOCIAL_BASE_URL'],
  [{ SOCIAL_TOKEN: 'svc_pat_abcdefghijkl', SOCIAL_BASE_URL: 'http://api.example.com' }, 'must use https'],
  [{ SOCIAL_PROFILE: 'a/b' }, 'is not a name for a profile'],
])('the environment %j ends with 2 and shows no token', async (env, sentence) => {
  const { code, stderr } = await social.run(['accounts'], { env })
  expect(code).toBe(2)
  expect(stderr).toContain(sentence)
  expect(stderr).not.toMatch(/secret|abcdefghijkl/)
})

test('a token that is none ends with 3, as one that is no longer valid, and is not shown', async () => {
  const env = { SOCIAL_TOKEN: 'secret', SOCIAL_BASE_URL: 'http://127.0.0.1:9' }
  const piped = ['login', 'https://api.example.com', '--token-stdin']
  for (const ended of [await social.json(['accounts'], { env }), await social.json(piped, { input: 'secret' })]) {
    expect(ended).toMatchObject({ code: 3, data: { error: { code: 'not_signed_in' }, exitCode: 3 } })
    expect(ended.data.error.message).toContain('This is not a token of the service')
    expect(ended.stdout + ended.stderr).not.toContain('secret')
  }
})

test('without a sign-in every command that needs one ends with 3', async () => {
  for (const args of [['whoami'], ['accounts'], ['posts'], ['post', 'Hello'], ['logs'], ['api', 'posts'], ['logout']]) {
    const { code, stderr } = await social.run(args)
    expect([args, code]).toEqual([args, 3])
    expect(stderr).toMatch(/not signed in/)
  }
})

test('a configuration that others can read is closed with a note, and one that is damaged is named', async () => {
  const folder = join(social.home, 'open')
  const file = join(folder, 'social/config.json')
  mkdirSync(join(folder, 'social'), { recursive: true, mode: 0o755 })
  const profiles = { default: { baseUrl: 'http://127.0.0.1:9', token: 'svc_pat_abcdefghijkl' } }
  writeFileSync(file, JSON.stringify({ current: 'default', profiles }), { mode: 0o644 })
  chmodSync(file, 0o644)
  const env = { XDG_CONFIG_HOME: folder }
  const first = await social.run(['open', 'docs'], { env })
  expect(first).toMatchObject({ code: 0, stdout: 'http://127.0.0.1:9/api/docs\n' })
  expect(first.stderr).toContain('could be read by others')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(join(folder, 'social')).mode & 0o777).toBe(0o700)
  expect((await social.run(['open', 'docs'], { env })).stderr).toBe('')
  // The token of a profile is for its own service alone.
  const elsewhere = await social.run(['accounts'], { env: { ...env, SOCIAL_BASE_URL: 'https://evil.example.com' } })
  expect(elsewhere.code).toBe(2)
  expect(elsewhere.stderr).toContain('is signed in at http://127.0.0.1:9')
  writeFileSync(file, '{"current":')
  expect(await social.run(['whoami'], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is damaged'),
  })
})

test('colors are for terminals: none in a pipe', async () => {
  const { stdout } = await social.run(['--help'])
  expect(stdout).not.toContain('\u001b')
})

test('bash loads the completion, and completes commands, options, and choices', async () => {
  const { stdout: script, code } = await social.run(['completion', 'bash'])
  expect(code).toBe(0)
  const complete = (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const completion = `set -eu\n${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _social; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr, status } = spawnSync('bash', ['--noprofile', '--norc', '-c', completion], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    return stdout.trim().split('\n')
  }
  expect(complete('social', 'po')).toEqual(['post', 'posts'])
  expect(complete('social', 'posts', 're')).toEqual(['reschedule'])
  expect(complete('social', '--profile', 'a', 'posts', 'list', '--pl')).toEqual(['--platform'])
  expect(complete('social', 'accounts', 'connect', 'blue')).toEqual(['bluesky'])
  const statuses = ['scheduled', 'published', 'failed', 'cancelled']
  expect(complete('social', 'posts', 'list', '--status', '')).toEqual(statuses)
  expect(complete('social', 'posts', '--status', '')).toEqual(statuses)
  expect(complete('social', 'posts', '--platform', 'blue')).toEqual(['bluesky'])
  expect(complete('social', 'posts', '--status', 'failed', '--so')).toEqual(['--sort'])
})

/** How each shell says whether it can read a script. */
const readers = {
  bash: ['bash', '-n'],
  zsh: ['zsh', '-n'],
  fish: ['fish', '-n'],
  powershell: ['pwsh', '-NoProfile', '-Command', '$null = [scriptblock]::Create([Console]::In.ReadToEnd())'],
} as const

test.each(
  Object.entries(readers),
)('the completion of %s has every command, option, and choice', async (shell, reader) => {
  const { stdout: script, code } = await social.run(['completion', shell])
  expect(code).toBe(0)
  const words = new Set(script.split(/[^\w-]+/))
  const { program } = makeProgram({}, new AbortController().signal)
  const missingIn = (command: typeof program): string[] => {
    const named = [...command.options.map(({ long }) => long ?? ''), ...command.commands.map((child) => child.name())]
    const choices = [...command.options, ...command.registeredArguments].flatMap(({ argChoices }) => argChoices ?? [])
    const below = command.commands.flatMap((child) => missingIn(child as typeof program))
    return [...[...named, ...choices].filter((word) => !words.has(word)), ...below]
  }
  expect(missingIn(program)).toEqual([])
  // Where the shell is there, it reads its script.
  const [name, ...args] = reader
  const checked = spawnSync(name, args, { input: script, encoding: 'utf8' })
  if (checked.error === undefined) expect([shell, checked.status, checked.stderr]).toEqual([shell, 0, ''])
})
