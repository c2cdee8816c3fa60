import { expect, test } from 'vitest'
import { tiktokSeed } from '../../infra/local/platforms/tiktok.ts'
import type { PlatformCall } from '../../shared/platforms/adapter.ts'
import { assertUploadAddress } from '../../shared/platforms/files.ts'
import type { OutgoingPost } from '../../shared/platforms/post.ts'
import { tiktok as connector } from '../../shared/platforms/tiktok/connect.ts'
import { definition } from '../../shared/platforms/tiktok/definition.ts'
import { tiktok } from '../../shared/platforms/tiktok/publish.ts'
import { failureOf } from './site.ts'
import { transportFaults } from './transport-faults.ts'
import { visit } from './visit.ts'

const { site, platforms, fault, anew, prepared, commit, probe, ...own } = await visit(tiktok, connector)
const { shy } = tiktokSeed

const open = (post: Partial<OutgoingPost> = {}, person?: string) => {
  const metadata = { privacyLevel: person === shy.id ? 'SELF_ONLY' : 'PUBLIC_TO_EVERYONE' }
  return own.open({ text: 'A clip #fun', metadata, ...post }, person)
}

/** Publishes as far as the last chunk; returns what was prepared. */
async function sent(call: PlatformCall) {
  const { ready } = await prepared(call)
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  return ready
}

const refusal = (code: string, message = 'in their words') => ({ data: {}, error: { code, message, log_id: '1' } })

test.each([
  ['file_format_check_failed', 'invalid', 'TikTok cannot read the video'],
  ['duration_check_failed', 'invalid', 'too short or too long'],
  ['frame_rate_check_failed', 'invalid', '23 to 60'],
  ['picture_size_check_failed', 'invalid', '360 to 4096'],
  ['spam_risk', 'blocked', 'spam'],
  ['spam_risk_text', 'blocked', 'text'],
  ['spam_risk_too_many_posts', 'quota', 'tomorrow'],
  ['spam_risk_user_banned_from_posting', 'blocked', 'banned'],
  ['publish_cancelled', 'invalid', 'canceled'],
  ['something_new', 'invalid', 'something_new'],
  ['auth_removed', 'permission', 'Reconnect the account'],
  ['internal', 'transient', 'temporarily unavailable'],
  ['video_pull_failed', 'transient', 'temporarily unavailable'],
])('processing fails with %s', async (reason, errorClass, wording) => {
  const call = await open({ text: `#processing_fails_${reason}` })
  const ready = await sent(call)
  site.pass(5000)
  const error = { errorClass, message: expect.stringContaining(wording), info: { code: reason, preparedGone: true } }
  expect(await probe(call, ready)).toMatchObject({ kind: 'rejected', error })
  expect(await failureOf(commit(call, ready))).toMatchObject(error)
  expect(platforms.published()).toEqual([])
})

test.each([
  ['creator', 200, 'spam_risk_too_many_posts', 'quota', { retryAfterSeconds: 3600 }],
  ['creator', 200, 'spam_risk_user_banned_from_posting', 'blocked', {}],
  ['creator', 200, 'reached_active_user_cap', 'quota', { operator: true, retryAfterSeconds: 12 * 3600 }],
  ['creator', 401, 'access_token_invalid', 'auth', {}],
  ['creator', 401, 'scope_not_authorized', 'permission', {}],
  ['init', 401, 'scope_permission_missed', 'permission', {}],
  ['init', 429, 'rate_limit_exceeded', 'rate', { retryAfterSeconds: 60 }],
  ['init', 403, 'spam_risk_too_many_posts', 'quota', { retryAfterSeconds: 3600 }],
  ['init', 403, 'unaudited_client_can_only_post_to_private_accounts', 'permission', { operator: true }],
  ['init', 403, 'privacy_level_option_mismatch', 'invalid', {}],
  ['init', 403, 'url_ownership_unverified', 'permission', { operator: true }],
  ['init', 400, 'invalid_params', 'invalid', { detail: 'in their words' }],
  ['init', 500, 'internal_error', 'transient', {}],
  ['init', 200, 'internal_error', 'transient', {}],
] as const)('%s answers %s %s', async (operation, status, code, errorClass, info) => {
  const call = await open()
  fault({ operation, fault: 'status', status, body: refusal(code) })
  // Each begins at noon.
  site.pass(Date.UTC(2026, 10, 21 + Math.ceil((site.now() - Date.UTC(2026, 10, 21, 12)) / 86_400_000), 12) - site.now())
  const account = (await anew(call)).account
  const failure = await failureOf(prepared({ ...call, account }))
  expect(failure).toMatchObject({ errorClass, info })
})

test.each([
  ['400', { fault: 'status', status: 400 }, 'invalid', {}],
  ['401', { fault: 'token_revoked' }, 'auth', {}],
  ['429', { fault: 'rate_limited' }, 'rate', { retryAfterSeconds: 60 }],
  ['reset', { fault: 'reset_after' }, 'unknown', {}],
  ...transportFaults,
] as const)('the last chunk meets %s', async (_, script, errorClass, info) => {
  const call = await open()
  const { ready } = await prepared(call)
  fault(script)
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass, info })
  site.pass(10_000)
  expect(platforms.published()).toEqual([])
})

test('an unreadable status is unclear', async () => {
  const call = await open()
  const ready = await sent(call)
  site.pass(5000)
  for (const script of [
    { fault: 'wrong_json' },
    { fault: 'status', status: 500 },
    { fault: 'token_revoked' },
  ] as const) {
    fault({ operation: 'status', ...script })
    await failureOf(probe(call, ready))
    fault({ operation: 'status', ...script })
    expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'unknown' })
  }
})

test('sends bytes to TikTok’s own hosts only', async () => {
  const real = site.ctx({ PLATFORM_ORIGINS: '{}' })
  const suffixes = ['.tiktokapis.com']
  const good = 'https://open-upload.tiktokapis.com/video/?upload_id=1&upload_token=a%3D'
  expect(assertUploadAddress(real, definition, good, suffixes)).toBe(good)
  for (const bad of [
    'https://evil.test/video/',
    'https://tiktokapis.com.evil.test/',
    'https://eviltiktokapis.com/',
    'http://open-upload.tiktokapis.com/',
    'nonsense',
  ]) {
    const refused = Promise.resolve().then(() => assertUploadAddress(real, definition, bad, suffixes))
    expect(await failureOf(refused)).toMatchObject({ errorClass: 'transient', info: { operator: true } })
  }
  const call = await open()
  const body = { data: { publish_id: 'p', upload_url: 'https://evil.test/' }, error: { code: 'ok', message: '' } }
  fault({ operation: 'init', fault: 'status', status: 200, body })
  const { ready } = await prepared(call)
  expect(await failureOf(commit(call, ready))).toMatchObject({ errorClass: 'transient', info: { operator: true } })
})
