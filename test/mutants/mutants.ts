import type { Patch } from '../support/patched-tree.ts'

/** One protection that is taken away, and the suite that must turn red. */
export interface Mutant {
  /** What no longer holds. */
  law: string
  patches: readonly [Patch, ...Patch[]]
  /** The cheapest suite that proves the law. */
  suite: string
}

const replace = (file: string, text: string, by: string): Patch => ({ file, text, by })

const work = 'shared/db/work.ts'
const publish = 'shared/posts/publishing/publish.ts'
const authorize = 'shared/access/authorize.ts'
const cap = 'shared/posts/x-cap.ts'

/**
 * A mutant for each law that several suites prove, or that a suite proved which is no longer there. README.md has the table,
 * and mutants.long.ts runs each suite with its mutant. `MUTANT=<name> npx vitest run <suite>` runs one.
 */
export const mutants: Readonly<Record<string, Mutant>> = {
  'late-holder': {
    law: 'A worker that lost its lease writes nothing',
    patches: [replace(work, 'allOf(open, step.ownsLease(claimed), ...', 'allOf(open, ...')],
    suite: 'db/work.fault.ts',
  },
  'step-too-early': {
    law: 'A step of durable work starts when it is due',
    patches: [replace(work, "allOf(present('PK'), open, isDue,", "allOf(present('PK'), open,")],
    suite: 'db/work.fault.ts',
  },
  'work-nobody-sweeps': {
    law: 'Work whose message is lost, or whose worker dies, is resumed by the sweeper',
    patches: [replace(work, 'set: { ...set, ...dueAt(claimed.id, atMs, nowMs) }', 'set: { ...set, dueAtMs: atMs }')],
    suite: 'db/work.fault.ts',
  },
  'retry-planned-apart': {
    law: 'A webhook attempt and its retry are one transaction',
    patches: [
      replace(
        'shared/webhooks/deliveries/lifecycle/writes.ts',
        'await transact(ctx, () => [end, nextWrite(next)])',
        'await transact(ctx, () => [end])\n    await transact(ctx, () => [nextWrite(next)])',
      ),
    ],
    suite: 'webhooks/crash.fault.ts',
  },
  'attempt-repeated': {
    law: 'A stored delivery is attempted by one worker at a time',
    patches: [
      replace(
        'shared/webhooks/deliveries/attempt.ts',
        'await claimDelivery(ctx, job.delivery)',
        '(await claimDelivery(ctx, job.delivery)) ?? job.delivery',
      ),
    ],
    suite: 'webhooks/relay.test.ts',
  },
  'parked-for-good': {
    law: 'A delivery is parked only while its endpoint fails',
    patches: [
      replace(
        'shared/webhooks/deliveries/lifecycle/writes.ts',
        "    { check: healths.key(health), when: equal('state', 'failing') },\n",
        '',
      ),
    ],
    suite: 'webhooks/recovery.fault.ts',
  },
  'call-too-early': {
    law: 'No post is sent before its time',
    patches: [
      replace(publish, '  await until(ctx, publication.post.scheduledAtMs)\n  const attempt', '  const attempt'),
    ],
    suite: 'journeys/main-job.test.ts',
  },
  'no-last-look': {
    law: 'What was disconnected or deleted before the call is not sent',
    patches: [replace(publish, 'if (!account || !isUsable(account) || !isThere) {', 'if (!account) {')],
    suite: 'workspaces/delete-during.fault.ts',
  },
  'comment-without-journal': {
    law: 'A first comment is sent once, also if its worker dies after the call',
    patches: [
      replace(
        'shared/posts/live/comment.ts',
        'firstCommentWork.save(ctx, claimed, { set: { attempt, clientKey } })',
        'firstCommentWork.save(ctx, claimed, { set: { clientKey } })',
      ),
    ],
    suite: 'journeys/first-comment.fault.ts',
  },
  'older-edit-wins': {
    law: 'A live edit ends with the latest text',
    patches: [
      replace(
        'shared/posts/live/edit.ts',
        "const whenWork = equal('edition', claimed.edition)",
        "const whenWork = equal('workspaceId', claimed.workspaceId)",
      ),
    ],
    suite: 'journeys/live-edit.fault.ts',
  },
  'deletion-gives-up': {
    law: 'A live deletion is tried until the post is gone',
    patches: [
      replace(
        'shared/posts/live/remove.ts',
        'if (!(await tryAgain(ctx, removal, error))) await finish',
        'await finish',
      ),
    ],
    suite: 'journeys/live-deletion.fault.ts',
  },
  'refresh-without-lease': {
    law: 'Parallel publications refresh a token once',
    patches: [
      replace(
        'shared/social-accounts/refresh-credentials.ts',
        "leaseFree('leaseUntilMs', now))",
        "equal('credentialsVersion', account.credentialsVersion))",
      ),
    ],
    suite: 'journeys/tokens.fault.ts',
  },
  'forgotten-removal': {
    law: 'Each documented error of a platform has its class',
    patches: [replace('shared/platforms/discord/errors.ts', '  [50001, removed],\n', '')],
    suite: 'platforms/error-codes.test.ts',
  },
  'cap-off-by-one': {
    law: 'The cap on X holds for parallel requests',
    patches: [replace(cap, "atMost('used', left))", "atMost('used', left + 1))")],
    suite: 'journeys/x-cap.fault.ts',
  },
  'plan-not-shared': {
    law: 'Child workspaces together use no more than one plan has',
    patches: [replace(cap, "atMost('total', leftInPlan))", "atMost('total', leftInPlan + 1e6))")],
    suite: 'api/application/one-plan.test.ts',
  },
  'any-role': {
    law: 'A route refuses callers below its role',
    patches: [replace(authorize, 'if (roles.includes(own)) return', 'if (roles.length > 0) return')],
    suite: 'specification/access.test.ts',
  },
  'any-scope': {
    law: 'A route refuses tokens without its scope',
    patches: [replace(authorize, "scope === '*' || scope === required || scope === alternative", "scope !== 'none'")],
    suite: 'specification/access.test.ts',
  },
  'suspended-enters': {
    law: 'A suspended member loses access with the next request',
    patches: [replace(authorize, "if (member.status === 'suspended')", "if (member.userId === 'none')")],
    suite: 'api/team/members.test.ts',
  },
  'foreign-workspace': {
    law: 'No token reaches another workspace',
    patches: [replace(authorize, "principal.kind === 'pat' && principal.workspaceId !== workspaceId", 'false')],
    suite: 'specification/access.test.ts',
  },
  'query-as-sent': {
    law: 'Invalid queries are refused in the envelope',
    patches: [
      replace(
        'shared/http/parse-input.ts',
        "parseOrRefuse<unknown>(contract.query ?? nothing, request.query, 'query')",
        '(request.query as unknown)',
      ),
    ],
    suite: 'every-route/fuzz.law.ts',
  },
  'body-as-sent': {
    law: 'Invalid bodies are refused in the envelope',
    patches: [
      replace(
        'shared/http/parse-input.ts',
        'parseBodyOrRefuse(contract.body, json, contract.method)',
        '(json as unknown)',
      ),
    ],
    suite: 'specification/bodies.test.ts',
  },
  'inherited-names': {
    law: 'Names that every object inherits are refused in bodies',
    patches: [replace('shared/http/read-body.ts', "['__proto__', 'constructor', 'prototype']", "['no such name']")],
    suite: 'every-route/prototype-keys.law.ts',
  },
  'any-version': {
    law: 'Of two editors with one ETag exactly one changes a post',
    patches: [replace('shared/http/etag.ts', "ifMatch === undefined || ifMatch.trim() === '*'", 'ifMatch !== null')],
    suite: 'api/posts/update.test.ts',
  },
  'reused-key': {
    law: 'An Idempotency-Key of another request is refused',
    patches: [
      replace('shared/http/idempotency.ts', 'record.fingerprint !== fingerprint(request)', "record.fingerprint === ''"),
    ],
    suite: 'journeys/races.fault.ts',
  },
  'uncounted-calls': {
    law: 'Calls beyond a rate limit are refused',
    patches: [
      replace('shared/limits/count.ts', "atMost('fullAtMicros', latest)))", "atMost('fullAtMicros', latest + 1e12)))"),
      replace('shared/limits/count.ts', 'from > latestMicros(limit, nowMicros, calls)', 'from > 1e18'),
    ],
    suite: 'http/rate-limit.test.ts',
  },
  'change-without-audit': {
    law: 'Every change is in the audit trail',
    patches: [replace('shared/commit/commit.ts', '...writes, ...auditWrites(ctx, id, audit), ', '...writes, ')],
    suite: 'audit/walk.law.ts',
  },
  'silent-export': {
    law: 'Security events are logged',
    patches: [replace('shared/export/request.ts', "  logSecurity(ctx, 'export_requested', { exportId: id })\n", '')],
    suite: 'every-route/security-log.law.ts',
  },
  'open-metadata-address': {
    law: 'No call reaches a private address',
    patches: [replace('shared/net/address.ts', "  '169.254.0.0/16',\n", '')],
    suite: 'net/address.test.ts',
  },
  'rebound-name': {
    law: 'A name that resolves to a private address is refused when it is dialed',
    patches: [replace('shared/net/lookup.ts', 'if (!addresses.every(isPublicAddress))', 'if (addresses.length === 0)')],
    suite: 'net/guard.test.ts',
  },
  'timeless-signature': {
    law: 'A webhook signature covers its timestamp',
    patches: [replace('shared/webhooks/deliveries/signature.ts', 'const ours = `', 'const ours = rawBody || `')],
    suite: 'client/webhooks.test.ts',
  },
  'endless-failure': {
    law: 'An endpoint that fails for five days is disabled',
    patches: [replace('shared/webhooks/health/policy.ts', 'failingForMs >= disabledAfterMs &&', 'failingForMs < 0 &&')],
    suite: 'webhooks/failing.fault.ts',
  },
  'replay-twice': {
    law: 'A replay that dies anywhere sends each event once',
    patches: [replace('shared/webhooks/replays/step.ts', 'if (match.own) return match.own\n', '')],
    suite: 'webhooks/replay-crash.fault.ts',
  },
  'export-keeps-uploads': {
    law: 'An export that dies anywhere leaves only its archive',
    patches: [
      replace('shared/export/step.ts', '  await removeAll(ctx, claimed)\n  const uploadId', '  const uploadId'),
    ],
    suite: 'export/crash.fault.ts',
  },
  'slot-kept': {
    law: 'An import that ends gives back its slot',
    patches: [replace('shared/media/imports/run.ts', '    await releaseSlot(ctx, slot)\n', '')],
    suite: 'media/imports/failures.fault.ts',
  },
  'charged-twice': {
    law: 'A death at any call to Stripe charges and creates nothing twice',
    patches: [replace('shared/billing/link-customer.ts', 'idempotencyKey: `', 'idempotencyKey: Math.random() + `')],
    suite: 'billing/crash.fault.ts',
  },
  'any-site': {
    law: 'The session cookie of the console works for its own requests only',
    patches: [
      replace(
        'shared/access/authenticate.ts',
        "if (header(event, 'X-Requested-With') !== 'console') return undefined\n",
        '',
      ),
    ],
    suite: 'console/session.test.ts',
  },
  'unasked-person': {
    law: 'An assistant asks the person before an irreversible call',
    patches: [replace('shared/mcp/server.ts', 'question === undefined || !isModern ||', 'question !== null ||')],
    suite: 'mcp/confirm.test.ts',
  },
  'pause-forgotten': {
    law: 'What an operator pauses is not sent',
    patches: [replace(publish, '  if (pausesIn(ctx, fresh)(claimed)) return releaseUnsent(ctx, claimed)\n', '')],
    suite: 'operations/pause.test.ts',
  },
  'restored-sent-again': {
    law: 'After a restore nothing is published twice',
    patches: [
      replace(
        'shared/posts/after-restore.ts',
        'if (await presumeSent(ctx, post, presumed)) count',
        'if (presumed) count',
      ),
    ],
    suite: 'operations/restore.fault.ts',
  },
  'older-row-unread': {
    law: 'Rows of the last release are read',
    patches: [replace('shared/db/lease.ts', 'leaseToken: z.optional(z.int())', 'leaseToken: z.int()')],
    suite: 'operations/released-table.law.ts',
  },
  'invitation-stays': {
    law: 'A deleted workspace leaves no row',
    patches: [
      replace(
        'shared/workspaces/rows.ts',
        "yield [invitationPointer(String(row['tokenHash']))]",
        'if (row === undefined) yield []',
      ),
    ],
    suite: 'workspaces/purge.fault.ts',
  },
  'location-stays': {
    law: 'Uploaded files lose their metadata',
    patches: [
      replace(
        'shared/media/inspect/jpeg.ts',
        'return clean === undefined ? [] : [clean(data)]',
        'return clean === undefined ? [whole] : [clean(data)]',
      ),
    ],
    suite: 'media/clean.law.ts',
  },
}
