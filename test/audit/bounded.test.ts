import { marshall } from '@aws-sdk/util-dynamodb'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { itemBytes, type Item as Stored } from '../../infra/local/engines/table/value.ts'
import type { Actor } from '../../shared/audit/actor.ts'
import type { AuditChange } from '../../shared/audit/bounded.ts'
import { auditEntries } from '../../shared/audit/entry.ts'
import { recordAudit } from '../../shared/audit/record.ts'
import { makeContext } from '../../shared/context.ts'
import type { Item } from '../../shared/db/table.ts'
import { ulid } from '../../shared/ids.ts'

const ctx = makeContext({})

const actorWith = (userAgent: string, clientRequestId: string): Actor => ({
  userId: 'k3Jd9XqLw2Ra',
  credential: { type: 'token', id: 'k3Jd9XqLw2RaAbCd' },
  ip: '2001:0db8:85a3:0000:0000:8a2e:0370:7334',
  userAgent,
  requestId: 'JZ3a2E5jIAMFYXA=',
  clientRequestId,
})

const itemOf = (change: AuditChange, actor = actorWith('test', 'mine')): Item => {
  const write = recordAudit(ctx, actor, {
    workspaceId: `ws_${ulid(0)}`,
    action: 'workspace.voice_settings_updated',
    target: { type: 'webhook_delivery', id: `dlv_${ulid(0)}0000` },
    ...change,
  })
  if (!('put' in write)) throw new Error('an entry is not put')
  return write.put
}

const entryOf = (change: AuditChange) => auditEntries.parse(itemOf(change))

/** The size that DynamoDB counts. */
const bytesOf = (item: Item): number => itemBytes(marshall(item) as Stored)

const text = fc.oneof(
  fc.string({ maxLength: 2000, unit: 'grapheme' }),
  fc.constant('漢'.repeat(2000)),
  fc.constant('"\n'.repeat(900)),
)
const value = fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 12 }))
const names = fc.constantFrom('name', 'description', 'tone', 'style', 'personality', 'events', 'scopes', 'url')
const fields = fc.dictionary(names, value, { maxKeys: 8 })

test('an entry takes one write unit, whatever changed and whatever the client says of itself', () => {
  const header = fc.string({ minLength: 0, maxLength: 100, unit: 'binary' })
  const id = fc.string({ minLength: 128, maxLength: 128, unit: fc.constantFrom('a', '-', '.') })
  fc.assert(
    fc.property(fc.option(fields, { nil: undefined }), fields, header, id, (before, after, userAgent, clientId) => {
      expect(bytesOf(itemOf({ before, after }, actorWith(userAgent, clientId)))).toBeLessThanOrEqual(1024)
    }),
    { numRuns: 300 },
  )
})

test('keeps only the fields that differ', () => {
  const before = { name: 'Acme', timezone: 'UTC', events: ['a', 'b'] }
  expect(entryOf({ before, after: { ...before, name: 'Bakery' } })).toMatchObject({
    before: { name: 'Acme' },
    after: { name: 'Bakery' },
    truncated: [],
  })
})

test('shows a field that was absent before only where it is', () => {
  expect(entryOf({ before: { tone: 'warm' }, after: { style: 'short' } })).toMatchObject({
    before: { tone: 'warm' },
    after: { style: 'short' },
  })
})

test('cuts long values, and names their fields', () => {
  const { before, after, truncated } = entryOf({
    before: { tone: 'a'.repeat(2000), style: 'short' },
    after: { tone: 'b', style: 'shorter', scopes: Array.from({ length: 40 }, (_, n) => `scope:${n}`) },
  })
  expect(before['tone']).toMatch(/^a+…$/)
  expect(after).toMatchObject({ tone: 'b', style: 'shorter', scopes: expect.arrayContaining(['scope:0']) })
  expect([...truncated].sort()).toEqual(['scopes', 'tone'])
})

test('an entry never replaces another one, and expires after a year', () => {
  const write = recordAudit(ctx, actorWith('test', 'mine'), {
    workspaceId: 'ws_1',
    action: 'workspace.created',
    target: { type: 'workspace', id: 'ws_1' },
  })
  expect(write).toMatchObject({ when: { is: 'absent', name: 'PK' } })
  const days = 'put' in write ? (Number(write.put['ttl']) - Date.now() / 1000) / 86_400 : 0
  expect(Math.round(days)).toBe(365)
})
