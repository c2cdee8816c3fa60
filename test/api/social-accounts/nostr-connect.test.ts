import { afterAll, beforeAll, expect, test } from 'vitest'
import { nostrSeed } from '../../../infra/local/platforms/nostr.ts'
import { browserOf } from '../../pages/test-browser.ts'
import { type Kit, start } from '../../support/start.ts'
import { scanTable } from '../../support/world/rows.ts'
import { refusalOf } from '../answers.ts'

const [person, second] = nostrSeed.people

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const connect = (body: { secretKey: string; relays?: string[]; mediaServer?: string; externalId?: string }) =>
  kit.sessionApi.socialAccounts.connectNostr({ body })
const relay = (path = '') => `${String(kit.platforms.urls['nostr']).replace(/^http/, 'ws')}${path}`

test('an account is connected by its key, which is neither returned nor stored in plain text', async () => {
  const account = await connect({ secretKey: ` ${person.nsec}\n`, externalId: 'customer-42' })
  expect(account).toMatchObject({
    providerId: 'nostr',
    providerName: 'Nostr',
    username: person.npub,
    displayName: 'Demo',
    profileImageUrl: expect.stringContaining('/face/'),
    isConnected: true,
    externalId: 'customer-42',
  })
  const rows = JSON.stringify(await scanTable(kit))
  expect(rows).toContain(person.publicKey)
  for (const secret of [person.nsec, person.secretKey]) expect(rows + JSON.stringify(account)).not.toContain(secret)
  // The same key in its other form is the same account.
  expect((await connect({ secretKey: person.secretKey.toUpperCase() })).id).toBe(account.id)
})

test.each([
  ['no key', { secretKey: 'nsec1wrong' }, 'secretKey', /must be a secret key/],
  ['a public key', { secretKey: person.npub }, 'secretKey', /must be a secret key/],
  ['a number that is no key', { secretKey: '0'.repeat(64) }, 'secretKey', /must be a secret key/],
  ['no relays', { secretKey: person.nsec, relays: [] }, 'relays', /./],
  ['too many relays', { secretKey: person.nsec, relays: Array(11).fill('wss://a.example') }, 'relays', /./],
])('rejects %s', async (_, body, field, error) => {
  const refusal = await refusalOf(connect(body))
  expect(refusal).toMatchObject({ status: 400, field })
  expect(JSON.stringify(refusal)).toMatch(error)
  expect(JSON.stringify(refusal)).not.toContain(body.secretKey)
})

test.each([
  ['http://relay.example', /must start with wss:\/\//],
  ['ws://relay.example', /must start with wss:\/\//],
  ['wss://127.0.0.1:7777', /not on the public internet/],
  ['10.0.0.1', /not on the public internet/],
  ['localhost', /full domain name/],
  ['wss://ann:secret@relay.example', /user name or password/],
  ['wss://relay.example:6379', /Port 6379 is not allowed/],
])('rejects the relay %s', async (address, error) => {
  expect(await refusalOf(connect({ secretKey: person.nsec, relays: [relay(), address] }))).toMatchObject({
    status: 400,
    code: 'url_not_allowed',
    field: 'relays',
    error: expect.stringMatching(error),
  })
})

test('rejects a media server on a private network', async () => {
  const body = { secretKey: person.nsec, mediaServer: 'https://192.168.1.1' }
  expect(await refusalOf(connect(body))).toMatchObject({ code: 'url_not_allowed', field: 'mediaServer' })
})

test('one relay that answers is enough, even one that forbids reads; without any, nothing is connected', async () => {
  const all = () => kit.platforms.faults.add({ platform: 'nostr', operation: 'read', times: 2, fault: 'reset_before' })
  all()
  const relays = [relay('/one'), relay('/two')]
  expect(await refusalOf(connect({ secretKey: second.nsec, relays }))).toMatchObject({
    status: 503,
    code: 'platform_unavailable',
    error: expect.stringContaining('relays did not answer'),
  })
  all()
  const account = await connect({ secretKey: second.nsec, relays: [...relays, relay('/three')] })
  expect(account.displayName).toBe('Second Demo')
  kit.platforms.faults.add({ platform: 'nostr', operation: 'read', times: 1, fault: 'blocked' })
  expect(await connect({ secretKey: second.nsec, relays: [relay('/members')] })).toMatchObject({
    id: account.id,
    displayName: second.npub,
    profileImageUrl: null,
  })
})

test('the owner enters the key on our page', async () => {
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.createNostrLink({ body: { externalId: 'customer-43' } })
  const { pathname, search, searchParams } = new URL(authorizeUrl)
  const someone = browserOf(kit)
  const page = await someone.open(pathname + search)
  expect(page.heading).toMatch(/^Connect Nostr to /)
  for (const label of ['Secret key', 'Relays', 'Media server (Blossom)']) expect(page.text).toContain(label)
  const ticket = searchParams.get('ticket') ?? ''
  const send = (fields: Record<string, string>) => someone.send('/connect-accounts', { ticket, ...fields })
  const wrong = await send({ secretKey: person.npub, relays: '' })
  expect(wrong.text).toContain('must be a secret key')
  expect(wrong.text).not.toContain(`value="${person.npub}"`)
  const relays = `${relay('/a')}, ${relay('/b')}\n${relay('/a')}`
  expect((await send({ secretKey: second.nsec, relays, mediaServer: 'media.nostr.test' })).status).toBe(303)
  const listed = await kit.sessionApi.socialAccounts.list({ query: { externalId: 'customer-43' } })
  expect(listed).toMatchObject([{ providerId: 'nostr', username: second.npub }])
  const reads = kit.platforms.calls().filter(({ operation, path }) => operation === 'read' && /^\/[ab]$/.test(path))
  expect(reads.map(({ path }) => path).toSorted()).toEqual(['/a', '/b'])
})

test('a disconnected account keeps no key', async () => {
  const { id } = await connect({ secretKey: person.nsec })
  await kit.sessionApi.socialAccounts.disconnect({ params: { id } })
  expect((await kit.sessionApi.socialAccounts.list()).find((account) => account.id === id)?.isConnected).not.toBe(true)
})
