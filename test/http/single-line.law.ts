import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '../../functions/routes.ts'
import { singleLine } from '../../shared/text/single-line.ts'
import { type Kit, start } from '../support/start.ts'
import { type Call, callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { uncounted } from '../support/world/uncounted.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start({ rateLimits: uncounted })
})
afterAll(() => kit.close())

/** Where a request carries a name: the operation and the field. */
const named: readonly (readonly [operation: string, field: string])[] = [
  ['auth.signUp', 'name'],
  ['workspaces.create', 'name'],
  ['workspaces.update', 'name'],
  ['cli.createToken', 'name'],
  ['cli.startDeviceLogin', 'clientName'],
  ['webhooks.create', 'name'],
  ['webhooks.update', 'name'],
  ['memory.createCollection', 'name'],
  ['memory.updateCollection', 'name'],
  ['drafts.create', 'name'],
  ['drafts.update', 'name'],
  ['media.createUploadUrl', 'filename'],
  ['media.complete', 'originalFilename'],
  ['socialAccounts.createPinterestBoard', 'name'],
]

const bad = {
  'a line feed': ['a\nBcc: all@example.com', 'U+000A'],
  'a carriage return': ['a\rb', 'U+000D'],
  'a tabulator': ['a\tb', 'U+0009'],
  NUL: ['a\u0000b', 'U+0000'],
  'an escape': ['a\u001b[31mb', 'U+001B'],
  'a C1 control': ['a\u0085b', 'U+0085'],
  'a line separator': ['a\u2028b', 'U+2028'],
  'a paragraph separator': ['a\u2029b', 'U+2029'],
  'an override': ['invoice\u202efdp.exe', 'U+202E'],
  'an embedding': ['a\u202ab', 'U+202A'],
  'an isolate': ['a\u2066b\u2069', 'U+2066'],
} as const

const good = ['Ann', 'עברית', 'مرحبا‎', '👩‍👩‍👧‍👦 family', 'Zürich — Nº 5', 'e\u0301', '日本語', 'a b']

const requestFor = async (operation: string) => {
  const route = routes.find((candidate) => candidate.operation === operation)
  if (route === undefined) throw new Error(`there is no ${operation}`)
  return { route, call: await happyCall(route, kit) }
}

const withText = (call: Call, field: string, text: string): Call => ({
  ...call,
  body: { ...(call.body as object), [field]: text },
})

describe.each(named)('%s', (operation, field) => {
  test('rejects a name with line breaks or control characters and names the character', async () => {
    const { route, call } = await requestFor(operation)
    for (const [title, [text, sign]] of Object.entries(bad)) {
      const { status, body } = await callRoute(kit.url, route, withText(call, field, text))
      expect([title, status, body]).toEqual([
        title,
        400,
        expect.objectContaining({ code: 'invalid_input', field, error: expect.stringContaining(sign) }),
      ])
    }
  })
})

test.each([
  'workspaces.create',
  'memory.createCollection',
  'drafts.create',
  'webhooks.create',
])('%s accepts names in every script and joined emoji', async (operation) => {
  for (const name of good) {
    const { route, call } = await requestFor(operation)
    const { status, body } = await callRoute(kit.url, route, withText(call, 'name', name))
    expect([name, status]).toEqual([name, 201])
    expect(body).toMatchObject({ data: { name } })
    // A workspace has ten endpoints at most.
    if (operation === 'webhooks.create') {
      const { id } = (body as { data: { id: string } }).data
      await kit.sessionApi.webhooks.delete({ params: { id } })
    }
  }
})

test('an accepted name contains no line break and no bidirectional override', () => {
  const Name = z.string().check(singleLine)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
      const passes = z.safeParse(Name, text).success
      const harmless = [...text].every((sign) => {
        const code = sign.codePointAt(0) ?? 0
        const control = code < 0x20 || (code >= 0x7f && code <= 0x9f)
        const line = code === 0x2028 || code === 0x2029
        const turning = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
        return !control && !line && !turning
      })
      return passes === harmless
    }),
  )
})
