import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { catalog } from '../../shared/errors/catalog.ts'
import { type Kit, start } from '../support/start.ts'

const Refused = z.object({ code: z.string(), requestId: z.string(), docUrl: z.url() })

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

const pageOf = async (url: string) => {
  const answer = await fetch(url)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

test('every code has a page with its status, meaning, fix, and example', async () => {
  const escaped = (text: string) =>
    text.replace(/[&<>"']/g, (sign) => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }[sign]};`)
  for (const [code, { meaning, fix }] of Object.entries(catalog)) {
    const { status, headers, text } = await pageOf(`${kit.url}/api/docs/errors/${code}`)
    expect([status, headers.get('Content-Type')], code).toEqual([200, 'text/html; charset=utf-8'])
    expect(text, code).toContain(`<h1>${code}</h1>`)
    const plain = text.replaceAll(/<\/?code>/g, '')
    for (const sentence of [meaning, fix]) expect(plain, code).toContain(escaped(sentence.replaceAll('`', '')))
    expect(text, code).toContain(escaped(`"code": "${code}"`))
    expect(text, code).not.toContain('undefined')
  }
})

test.each([
  ['GET', '/api/posts/nowhere', 404, 'post_not_found'],
  ['GET', '/api/nowhere', 404, 'route_not_found'],
  ['PUT', '/api/posts', 405, 'method_not_allowed'],
  ['GET', '/api/posts?limit=0', 400, 'invalid_input'],
])('%s %s returns %i with the link to the page of its code and the id of the request', async (method, path, status, code) => {
  const answer = await fetch(`${kit.url}${path}`, {
    method,
    headers: { Authorization: `Bearer ${kit.pat}`, 'X-Workspace-Id': kit.workspaceId },
  })
  const body = z.parse(Refused, await answer.json())
  expect([answer.status, body.code, body.requestId]).toEqual([status, code, answer.headers.get('X-Request-Id')])
  expect((await pageOf(body.docUrl)).text).toContain(`<h1>${code}</h1>`)
})

test('an unknown code returns 404, also one that every object has', async () => {
  for (const code of ['nope', 'constructor', '__proto__']) {
    const { status, text } = await pageOf(`${kit.url}/api/docs/errors/${code}`)
    expect([status, JSON.parse(text).code], code).toEqual([404, 'error_code_not_found'])
  }
})
