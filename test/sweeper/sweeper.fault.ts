import { expect, test } from 'vitest'
import { AiJobMessage } from '../../shared/ai/jobs/work.ts'
import { BillingMessage } from '../../shared/billing/rows.ts'
import { AccountPurge } from '../../shared/deletion/account/deletion.ts'
import { DeliverMessage, RelayMessage } from '../../shared/events/outbox.ts'
import { ExportMessage } from '../../shared/export/work.ts'
import { NoticeMessage } from '../../shared/identity/notice.ts'
import { UnsentEmailMessage } from '../../shared/identity/unsent-email.ts'
import { ImportMessage } from '../../shared/media/imports/work.ts'
import { MediaMessage } from '../../shared/media/job.ts'
import { CollectionPurge } from '../../shared/memory/purge-collection.ts'
import { IndexMessage } from '../../shared/memory/search/enqueue-indexing.ts'
import { TopicMessage } from '../../shared/notifications/alerts/work.ts'
import { PushesMessage } from '../../shared/notifications/pushes/work.ts'
import { PrepareMessage, PublishMessage } from '../../shared/posts/lifecycle/work.ts'
import { FirstCommentMessage, LiveDeletionMessage, LiveEditMessage } from '../../shared/posts/live-work/work.ts'
import { RenewMessage } from '../../shared/social-accounts/renew.ts'
import { projectedAttributes, sweepRules } from '../../shared/sweeper/rules.ts'
import { DrainMessage } from '../../shared/webhooks/health/work.ts'
import { ReplayMessage } from '../../shared/webhooks/replays/work.ts'
import { PurgeMessage } from '../../shared/workspaces/deletion.ts'

const nowMs = 1_900_000_000_000

/** A row of any type: what no rule reads is not projected. */
const row = {
  PK: 'USER#ada',
  SK: 'row',
  sweepShard: 'SWEEP#0',
  sweepAtMs: nowMs,
  sweepCount: 1,
  workspaceId: 'ws_1',
  id: 'row_1',
  endpointId: 'whe_1',
  platform: 'x',
  socialAccountId: 'acc_1',
  version: 2,
  userId: 'ada',
  scheduledAtMs: nowMs,
  content: 'text',
  held: true,
  groupId: 'group',
}

const messages = [
  { type: 'Post', shape: PublishMessage, queue: 'publish-x' },
  { type: 'Post', shape: PrepareMessage, queue: 'prepare', with: { scheduledAtMs: nowMs + 60_000 } },
  { type: 'LiveDeletion', shape: LiveDeletionMessage, queue: 'publish-x' },
  { type: 'LiveEdit', shape: LiveEditMessage, queue: 'publish-x' },
  { type: 'FirstComment', shape: FirstCommentMessage, queue: 'publish-x' },
  { type: 'Outbox', shape: RelayMessage, queue: 'events' },
  { type: 'Delivery', shape: DeliverMessage, queue: 'deliver', group: 'whe_1' },
  { type: 'EndpointHealth', shape: DrainMessage, queue: 'drain', group: 'row_1' },
  { type: 'Replay', shape: ReplayMessage, queue: 'replay' },
  { type: 'SocialAccount', shape: RenewMessage, queue: 'prepare' },
  { type: 'Collection', shape: CollectionPurge, queue: 'purge' },
  { type: 'MemoryIndex', shape: IndexMessage, queue: 'index' },
  { type: 'MemoryRemoval', shape: IndexMessage, queue: 'index' },
  { type: 'MediaImport', shape: ImportMessage, queue: 'import' },
  { type: 'MediaJob', shape: MediaMessage, queue: 'preview' },
  { type: 'Notice', shape: NoticeMessage, queue: 'drain', group: 'ada' },
  { type: 'UnsentEmail', shape: UnsentEmailMessage, queue: 'drain', group: 'row_1' },
  { type: 'AlertTopic', shape: TopicMessage, queue: 'notify' },
  { type: 'Push', shape: PushesMessage, queue: 'notify', group: 'ada' },
  { type: 'WorkspaceDeletion', shape: PurgeMessage, queue: 'purge' },
  { type: 'AccountDeletion', shape: AccountPurge, queue: 'purge', group: 'row_1' },
  { type: 'Export', shape: ExportMessage, queue: 'export' },
  { type: 'AiJob', shape: AiJobMessage, queue: 'ai' },
  { type: 'BillingAccount', shape: BillingMessage, queue: 'billing' },
  { type: 'StripeCustomer', shape: BillingMessage, queue: 'billing' },
]

/** What the sweep index shows of a row. */
const project = (item: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(item).filter(([name]) => ['PK', 'SK', 'sweepAtMs', ...projectedAttributes].includes(name)),
  )

test.each(messages)('a message to $queue resumes a $type', ({ type, shape, queue, ...rest }) => {
  const rule = sweepRules.find((candidate) => candidate.type === type)
  const message = rule?.messageFor(project({ ...row, type, ...rest.with }), nowMs)
  expect(message?.queue).toBe(queue)
  expect(shape.safeParse(message?.body)).toMatchObject({ success: true, data: message?.body })
  expect(message?.group).toBe(rest.group ?? 'ws_1')
})

test('every rule is listed here, and every type has one rule', () => {
  expect(sweepRules.map(({ type }) => type).sort()).toEqual([...new Set(messages.map(({ type }) => type))].sort())
})

test('skips a row without the attributes that its message needs', () => {
  const rule = sweepRules.find(({ type }) => type === 'Post')
  const { platform: _, ...incomplete } = row
  expect(rule?.messageFor(incomplete, nowMs)).toBeUndefined()
})

test('the index projects what the rules read, and nothing that changes unnecessarily', () => {
  expect([...projectedAttributes].sort()).toEqual(
    [
      'type',
      'sweepCount',
      'workspaceId',
      'id',
      'endpointId',
      'platform',
      'socialAccountId',
      'scheduledAtMs',
      'userId',
      'version',
    ].sort(),
  )
})
