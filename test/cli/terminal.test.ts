import { chmodSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hourMs } from '../../shared/time.ts'
import { version } from '../../shared/version.ts'
import { png } from '../media/files.ts'
import { listen } from '../net/listen.ts'
import { browserOf } from '../pages/test-browser.ts'
import { connectOn } from '../support/connect.ts'
import { type Kit, start } from '../support/start.ts'
import { hasPython, makeSocial, type Social } from './social.ts'

let kit: Kit
let social: Social
beforeAll(async () => {
  kit = await start({ time: 'real' })
  social = await makeSocial()
  await connectOn(kit, 'x')
  const browser = join(social.home, 'browser')
  writeFileSync(browser, `#!/bin/sh\necho "$1" >> '${join(social.home, 'opened')}'\n`)
  chmodSync(browser, 0o755)
  Object.assign(social.environment, { BROWSER: browser, TERM: 'xterm' })
}, 120_000)
afterAll(async () => {
  social.remove()
  await kit.close()
})

const inTerminal: Social['inTerminal'] = (...args) => social.inTerminal(...args)

const until = (look: () => boolean) => expect.poll(look, { timeout: 20_000, interval: 50 }).toBe(true)

/** Enters the code on the page of the service, as the person does who is signed in there. */
const approve = async (code: string, answer: 'approved' | 'denied') => {
  const { open, submit } = browserOf(kit, kit.sessionToken)
  const typed = await submit(await open('/device'), 'device', { user_code: code })
  await submit(await open(typed.to ?? ''), 'device-answer', { answer })
}

const login = async (answer: 'approved' | 'denied', ...args: string[]) => {
  const terminal = inTerminal(['login', kit.url, ...args])
  await until(() => /Your code is \S+\./.test(terminal.output()))
  const [, code = ''] = /Your code is (\S+)\. Enter it at /.exec(terminal.output()) ?? []
  await approve(code, answer)
  return { terminal, code, ended: await terminal.ended }
}

const config = () => join(social.home, '.config/social/config.json')
const readProfiles = () => JSON.parse(readFileSync(config(), 'utf8')).profiles

test.runIf(hasPython)(
  'from sign-in to a published thread, a bulk with a bar, and sign-out',
  async () => {
    const { terminal, code, ended } = await login('approved')
    expect(ended).toBe(0)
    expect(terminal.output()).toContain(`Signed in as ${kit.user.email} at ${kit.url}.\nThe workspace is Acme.`)
    expect(readFileSync(join(social.home, 'opened'), 'utf8')).toBe(`${kit.url}/device?user_code=${code}\n`)
    expect(statSync(config()).mode & 0o777).toBe(0o600)
    expect(statSync(join(config(), '..')).mode & 0o777).toBe(0o700)
    const { token } = readProfiles().default
    expect(token).toMatch(/^svc_ses_/)
    expect(terminal.raw()).not.toContain(token)

    const who = inTerminal(['whoami'])
    expect(await who.ended).toBe(0)
    expect(who.output()).toContain(`Ann <${kit.user.email}>`)
    expect(who.output()).toMatch(/Workspace: Acme \(ws_\w+\), owner/)

    writeFileSync(
      join(social.home, 'thread.md'),
      'First of a thread\n---\nSecond of a thread\n\n---\nThird of a thread\n',
    )
    const thread = inTerminal(['post', '--thread', '--file', 'thread.md', '--account', 'x', '--wait'])
    expect(await thread.ended).toBe(0)
    expect(thread.output().match(/published +x:\S+\s+https:\/\/\S+/g)).toHaveLength(3)
    const live = kit.platforms.published().filter(({ text }) => text.endsWith('of a thread'))
    expect(live.map(({ text }) => text)).toEqual(['First of a thread', 'Second of a thread', 'Third of a thread'])

    const rows = Array.from({ length: 20 }, (_, n) => `bluesky,In a terminal ${n},tomorrow 9:00`)
    writeFileSync(join(social.home, 'rows.csv'), `accounts,content,at\n${rows.join('\n')}\n`)
    const bulk = inTerminal(['bulk', 'rows.csv'])
    expect(await bulk.ended).toBe(0)
    expect(bulk.output()).toMatch(/\[#+-*\] \d+\/20 rows/)
    expect(bulk.output()).toContain('20 of 20 rows accepted.')

    writeFileSync(join(social.home, 'cat.png'), await png(32, 32))
    const upload = inTerminal(['media', 'upload', 'cat.png', '--alt', 'A cat'])
    expect(await upload.ended).toBe(0)
    expect(upload.output()).toMatch(/\[#+\] 0\.\d MB of 0\.\d MB cat\.png/)

    // Colors are for terminals, unless the person wants none.
    const colorful = inTerminal(['posts'])
    await colorful.ended
    expect(colorful.raw()).toContain('\u001b[2m')
    for (const [args, env] of [
      [['posts'], { NO_COLOR: '1' }],
      [['posts', '--no-color'], {}],
      [['posts'], { TERM: 'dumb' }],
    ] as const) {
      const plain = inTerminal(args, env as Record<string, string>)
      await plain.ended
      expect(plain.raw()).not.toContain('\u001b[')
    }

    const out = inTerminal(['logout'])
    expect(await out.ended).toBe(0)
    expect(readProfiles()).toEqual({})
    const session = await fetch(`${kit.url}/api/auth/get-session`, { headers: { authorization: `Bearer ${token}` } })
    expect(session.status).toBe(401)
  },
  120_000,
)

test.runIf(hasPython)('a machine without a browser does not claim to have opened a page', async () => {
  const env = { SOCIAL_BASE_URL: kit.url, SOCIAL_TOKEN: kit.sessionToken, SOCIAL_WORKSPACE: kit.workspaceId }
  // xdg-open starts, finds no browser, and ends with 3.
  const none = join(social.home, 'no-browser')
  writeFileSync(none, '#!/bin/sh\nexit 3\n')
  chmodSync(none, 0o755)
  const silent = inTerminal(['open', 'docs'], { ...env, BROWSER: none })
  expect(await silent.ended).toBe(0)
  expect(silent.output()).toBe(`${kit.url}/api/docs\n`)
  const shown = inTerminal(['open', 'docs'], env)
  expect(await shown.ended).toBe(0)
  expect(shown.output()).toBe(`Opened ${kit.url}/api/docs\n`)
})

test.runIf(hasPython)('a newer version of the service is announced once a day, at a terminal only', async () => {
  const info = { version: '999.0.0' }
  const port = await listen(createServer((_request, response) => void response.end(JSON.stringify({ info }))))
  const newer = `http://127.0.0.1:${port}`
  const env = { SOCIAL_BASE_URL: newer, SOCIAL_TOKEN: kit.sessionToken, BROWSER: '/bin/false', CI: '' }
  const openDocs = async (more: Record<string, string> = {}, ...args: string[]) => {
    const opening = inTerminal(['open', 'docs', ...args], { ...env, ...more })
    expect(await opening.ended).toBe(0)
    return opening.output()
  }
  const checked = join(config(), '../update-check')
  const yesterday = () => {
    writeFileSync(checked, '')
    utimesSync(checked, new Date(), new Date(Date.now() - 25 * hourMs))
  }
  const page = `${newer}/api/docs\n`
  yesterday()
  expect(await openDocs({ CI: 'true' })).toBe(page)
  expect(await openDocs({ SOCIAL_NO_UPDATE_CHECK: '1' })).toBe(page)
  expect(await openDocs({}, '--json')).not.toContain('version')
  const output = `The service runs version 999.0.0, and this is social ${version}.\nTo update: ${newer}/api/docs/guides/command-line#update\n`
  expect(await openDocs()).toBe(page + output)
  expect(await openDocs()).toBe(page)
  yesterday()
  expect(await openDocs({ SOCIAL_BASE_URL: kit.url })).toBe(`${kit.url}/api/docs\n`)
  expect(Date.now() - statSync(checked).mtimeMs).toBeLessThan(hourMs)
})

test.runIf(hasPython)(
  'a denied sign-in ends with 3, and stores nothing',
  async () => {
    const { terminal, ended } = await login('denied', '--profile', 'denied')
    expect(ended).toBe(3)
    expect(terminal.output()).toContain('The page is open in your browser.')
    expect(terminal.output()).toContain('The login was denied in the browser.')
    expect(existsSync(config()) ? readProfiles() : {}).not.toHaveProperty('denied')
  },
  60_000,
)

test.runIf(hasPython)(
  'a text is edited in the editor of the person; Ctrl-C ends a wait with 130',
  async () => {
    const env = { SOCIAL_BASE_URL: kit.url, SOCIAL_TOKEN: kit.sessionToken, SOCIAL_WORKSPACE: kit.workspaceId }
    const { data } = await social.json(['post', 'Befor the edit', '-a', 'bluesky', '--at', 'tomorrow 9:00'], { env })
    const editor = join(social.home, 'editor')
    writeFileSync(editor, '#!/bin/sh\nsed -i s/Befor/Before/ "$2"\n')
    chmodSync(editor, 0o755)
    const edit = inTerminal(['posts', 'edit', data[0].id], { ...env, EDITOR: `${editor} --wait` })
    expect(await edit.ended).toBe(0)
    expect(edit.output()).toContain(`Changed ${data[0].id}, version `)
    expect((await kit.api.posts.get({ params: { id: data[0].id } })).content).toBe('Before the edit')

    const watch = inTerminal(['posts', 'watch', data[0].id], env)
    await until(() => watch.output().includes('scheduled'))
    watch.type('\u0003')
    expect(await watch.ended).toBe(130)
  },
  60_000,
)
