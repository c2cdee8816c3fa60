import type { Patch } from '../support/patched-tree.ts'

const writes = 'shared/posts/lifecycle/writes.ts'
const publish = 'shared/posts/publishing/publish.ts'
const probe = 'shared/posts/publishing/probe.ts'
const authorize = 'shared/access/authorize.ts'

/** What keeps posts from being lost, doubled, or seen by others, each taken away. */
export const mutations: Readonly<Record<string, readonly Patch[]>> = {
  'no journal before the call': [
    { file: writes, text: 'const set = { attempt, clientKey, ...(hasMedia', by: 'const set = { ...(hasMedia' },
    { file: publish, text: 'clientKey: attempt.clientKey', by: 'clientKey: ready.makeKey' },
    { file: publish, text: 'const attempt = journaledAttempt(claimed)\n', by: '' },
    { file: publish, text: 'post: { ...claimed, attempt: { ...attempt, calledAtMs } }', by: 'post: claimed' },
  ],
  'a lease that ends as it begins': [
    { file: 'shared/db/lease.ts', text: 'timeoutSeconds * 1000 + leaseMarginMs', by: '0 * timeoutSeconds' },
  ],
  'a version that nobody checks': [
    {
      file: 'shared/posts/lifecycle/state.ts',
      text: "allOf(equal('status', status), equal('version', version))",
      by: "allOf(equal('status', status))",
    },
  ],
  'no wait before a post counts as absent': [
    { file: probe, text: 'if (waitSeconds > 0) return', by: 'if (waitSeconds > 1e9) return' },
    { file: probe, text: 'const negativesNeeded = 2', by: 'const negativesNeeded = 0' },
  ],
  'a sweeper that sends nothing': [
    {
      file: 'shared/sweeper/sweep.ts',
      text: '[...byQueue].map(([queue, own]) => sendAll(ctx, queue, own))',
      by: '[...byQueue].map(async () => ctx)',
    },
  ],
  'an outbox that is done before its events are sent': [
    {
      file: 'shared/webhooks/deliveries/relay.ts',
      text: 'await writeRows(ctx, due)',
      by: 'await markRelayed(ctx, row)\n  await writeRows(ctx, due)',
    },
    {
      file: 'shared/webhooks/deliveries/deliver.ts',
      text: 'const isStored = stored !== undefined',
      by: 'const isStored = stored !== undefined\n  if (!isStored) await markRelayed(ctx, row)',
    },
  ],
  'idempotency keys that nobody remembers': [
    {
      file: 'shared/http/idempotency-writes.ts',
      text: 'if (row === undefined) return []',
      by: 'if (row !== null) return []',
    },
  ],
  'a cap that is never given back': [
    {
      file: 'shared/posts/x-cap.ts',
      text: 'change: { add: { used: -count } }',
      by: 'change: { add: { used: 0 * count } }',
    },
  ],
  'a workspace that anybody can enter': [
    { file: authorize, text: "principal.kind === 'pat' && principal.workspaceId !== workspaceId", by: 'false' },
    {
      file: authorize,
      text: 'members.from(request.prefetched, { workspaceId, userId: principal.userId })',
      by: "members.from(request.prefetched, { workspaceId, userId: principal.userId }) ?? { status: 'active', role: 'owner' }",
    },
  ],
  'a token that outlives the place of its member': [
    {
      file: 'shared/workspaces/count-token.ts',
      text: "asStored('tokensVersion', member.tokensVersion)",
      by: 'asRead(member)',
    },
  ],
  'a next release that rejects the messages of this one': [
    {
      file: 'test/support/next-release.ts',
      text: String.raw`version: z.int(),\n  release: z.optional(z.string())`,
      by: String.raw`version: z.int(),\n  release: z.string()`,
    },
  ],
}

/** Where the search begins for what few seeds show: those before it, down to the first, do not. */
export const searchFrom: Readonly<Record<string, number>> = {
  'no wait before a post counts as absent': 655,
  'a token that outlives the place of its member': 170,
}
