import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { wordpressSeed } from '../../infra/local/platforms/wordpress.ts'
import { Refusal } from '../../shared/errors/refusal.ts'
import { connect, readLogin } from '../../shared/platforms/wordpress/connect.ts'
import { wordpress } from '../../shared/platforms/wordpress/lifecycle.ts'
import { accountOf, failureOf } from './site.ts'
import { loginOf, visitWordPress } from './wordpress-visit.ts'

const { site, calls, sentTo, accountAt, fault } = await visitWordPress()
const [demo, , contributor] = wordpressSeed.users

const refusalOf = async (run: Promise<unknown>): Promise<Refusal> => {
  const error = await run.catch((thrown: unknown) => thrown)
  return error instanceof Refusal ? error : expect.fail(String(error))
}

test('connects a user by the index of the site and the user', async () => {
  const groups = 'demo 1demo 2demo 3demo 4demo'
  expect(await connect(site.ctx(), { ...loginOf(), applicationPassword: groups })).toEqual({
    platform: 'wordpress',
    providerName: 'WordPress',
    externalId: `2@${wordpressSeed.site}`,
    username: `demo@${wordpressSeed.site}`,
    displayName: 'Demo',
    profileImageUrl: expect.stringContaining('/face/'),
    credentials: { username: demo.username, applicationPassword: demo.applicationPassword },
    details: { site: `https://${wordpressSeed.site}`, root: '/wp-json' },
  })
  const [index, me, ...more] = calls()
  expect(more).toEqual([])
  // The password is sent only after a WordPress was found.
  expect(index?.headers['authorization']).toBeUndefined()
  expect(me).toMatchObject({
    method: 'GET',
    path: '/wp-json/wp/v2/users/me',
    query: 'context=edit&_fields=id%2Cusername%2Cname%2Ccapabilities%2Cavatar_urls',
  })
})

test.each([
  ['https://blog.wordpress.test/', '', '/wp-json'],
  [' blog.wordpress.test/wp-admin/profile.php?x=1#y ', '', '/wp-json'],
  ['blog.wordpress.test/wp-login.php', '', '/wp-json'],
  ['blog.wordpress.test/blog/', '/blog', '/blog/wp-json'],
  ['https://blog.wordpress.test/blog/wp-admin', '/blog', '/blog/wp-json'],
])('finds the site in %s', async (written, path, root) => {
  const { externalId, details } = await connect(site.ctx(), loginOf(demo, written))
  expect(details).toEqual({ site: `https://blog.wordpress.test${path}`, root })
  expect(externalId).toBe(`2@blog.wordpress.test${path}`)
})

test.each([
  ['http://blog.wordpress.test', 'The address must start with https://.'],
  ['https://10.0.0.1/blog', 'The address 10.0.0.1 is not on the public internet.'],
  ['localhost', 'The host localhost must be a full domain name, such as www.example.com.'],
  ['https://ann:secret@blog.wordpress.test', 'The address must not contain a user name or password.'],
])('does not call %s', async (address, message) => {
  const refusal = await refusalOf(connect(site.ctx(), loginOf(demo, address)))
  expect([refusal.message, refusal.details]).toMatchObject([message, { code: 'url_not_allowed', field: 'site' }])
  expect(calls()).toEqual([])
})

test('a wrong password is an error of its field, and so is each missing field', async () => {
  const refusal = await refusalOf(connect(site.ctx(), { ...loginOf(), applicationPassword: 'wrong' }))
  expect(refusal.details).toMatchObject({ code: 'invalid_app_password', field: 'applicationPassword' })
  expect(() => readLogin({ site: 'a.example', username: 'ann' })).toThrow(/applicationPassword/)
  expect((await readLogin({ ...loginOf(), other: 'x' })(site.ctx())).displayName).toBe('Demo')
})

test('a user who may not publish is not connected', async () => {
  expect(await failureOf(connect(site.ctx(), loginOf(contributor)))).toMatchObject({
    errorClass: 'permission',
    message: 'WordPress user contributor may not publish posts. Give the user the role Author or Editor.',
  })
})

test('the password is deleted at the site, and then nothing is published with it', async () => {
  const ctx = site.ctx()
  const account = await accountAt(ctx)
  await wordpress.revoke?.(ctx, account)
  expect(sentTo('revoke')).toMatchObject([{ method: 'DELETE', status: 200 }])
  const refusal = await refusalOf(connect(ctx, loginOf()))
  expect(refusal.details).toMatchObject({ code: 'invalid_app_password' })
})

/** A server that is no stand-in, for one test after the other. */
let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
const paths: (string | undefined)[] = []
const server = createServer((request, response) => {
  paths.push(request.url)
  answer(request, response)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => server.close())

const json = (response: ServerResponse, body: unknown) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const elsewhere = () => {
  paths.length = 0
  return site.ctx({ PLATFORM_ORIGINS: JSON.stringify({ wordpress: url }), ALLOWED_ORIGINS: url })
}
const authentication = { 'application-passwords': { endpoints: {} } }

test('a site without permalinks takes the route as a parameter', async () => {
  answer = ({ url: path = '' }, response) => {
    const route = new URL(path, url).searchParams.get('rest_route')
    if (route === '/') json(response, { namespaces: ['wp/v2'], authentication })
    else if (route === '/wp/v2/users/me')
      json(response, { id: 7, username: 'ann', capabilities: { publish_posts: true } })
    else response.writeHead(404).end('<html>')
  }
  const ctx = elsewhere()
  const { details, ...connection } = await connect(ctx, loginOf(demo, 'bakery.example/blog'))
  expect(details).toEqual({ site: 'https://bakery.example/blog', root: '/blog/?rest_route=' })
  expect(connection).toMatchObject({ externalId: '7@bakery.example/blog', displayName: 'ann', profileImageUrl: null })
  expect(paths).toEqual([
    '/blog/wp-json/',
    '/blog/?rest_route=%2F',
    '/blog/?rest_route=%2Fwp%2Fv2%2Fusers%2Fme&context=edit&_fields=id%2Cusername%2Cname%2Ccapabilities%2Cavatar_urls',
  ])
  answer = (_request, response) => json(response, { uuid: 'a/b' })
  await wordpress.revoke?.(ctx, accountOf({ ...connection, details }))
  expect(paths.at(-1)).toBe('/blog/?rest_route=%2Fwp%2Fv2%2Fusers%2Fme%2Fapplication-passwords%2Fa%252Fb')
})

test('a redirect is not followed: the site that it names has to be entered', async () => {
  answer = (_request, response) => response.writeHead(301, { location: 'https://www.bakery.example/wp-json/' }).end()
  expect(await failureOf(connect(elsewhere(), loginOf(demo, 'bakery.example')))).toMatchObject({
    errorClass: 'invalid',
    message: 'The site has moved to https://www.bakery.example. Enter that address.',
  })
  expect(paths).toHaveLength(1)
})

test.each([
  [
    'no WordPress',
    { hello: 'world' },
    'bakery.example does not answer as WordPress does. Check the address of the site.',
  ],
  [
    'a WordPress that takes no application passwords',
    // An empty list is what PHP makes of nothing.
    { namespaces: ['wp/v2'], authentication: [] },
    'bakery.example does not take application passwords.',
  ],
])('%s is not signed in to', async (_name, body, message) => {
  answer = (_request, response) => json(response, body)
  expect(await failureOf(connect(elsewhere(), loginOf(demo, 'bakery.example')))).toMatchObject({
    errorClass: 'invalid',
    message: expect.stringContaining(message),
  })
})

test('a site that does not answer can be tried again', async () => {
  fault({ fault: 'html_503', operation: 'index' })
  expect(await failureOf(connect(site.ctx(), loginOf()))).toMatchObject({ errorClass: 'transient' })
})
