import { CreateSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startSecrets } from '../../infra/local/engines/secrets.ts'
import { jsonLog, makeContext } from '../../shared/context.ts'
import { mintToken, readToken, tokenPattern } from '../../shared/identity/token.ts'
import { digest, random62 } from '../../shared/ids.ts'
import { minuteMs } from '../../shared/time.ts'

const [older, newer] = ['an older key of 32 characters ...', 'a newer key of 32 characters ...']
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A context over a real secrets endpoint, with one secret per set of keys; counts every outward call by service. */
async function start(secrets: Record<string, object> = { keys: { current: newer } }) {
  const engine = await startSecrets({ clock: { now: () => Date.now() } })
  vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', engine.url)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
  const client = new SecretsManagerClient({})
  onTestFinished(async () => {
    client.destroy()
    vi.unstubAllEnvs()
    await engine.close()
  })
  const create = (name: string, keys: object) =>
    client.send(new CreateSecretCommand({ Name: name, SecretString: JSON.stringify(keys) }))
  for (const [name, keys] of Object.entries(secrets)) await create(name, keys)
  const calls: string[] = []
  const now = { ms: Date.UTC(2030, 0, 1) }
  const logged: string[] = []
  const over = (name: string) =>
    makeContext(
      { TOKEN_KEYS_SECRET: name },
      {
        clock: { now: () => now.ms, sleep: async () => undefined },
        log: jsonLog((line) => logged.push(line)),
        observe: (effect, run) => {
          calls.push(effect.service)
          return run()
        },
      },
    )
  const change = (name: string, keys: object) =>
    client.send(new PutSecretValueCommand({ SecretId: name, SecretString: JSON.stringify(keys) }))
  return { ctx: over('keys'), over, create, change, calls, now, logged, engine }
}

test.each(['ses', 'pat'] as const)('a %s token identifies its user and row and proves its secret', async (kind) => {
  const { ctx } = await start()
  const userId = random62(12)
  const { token, tokenId, secretHash } = await mintToken(ctx, kind, userId)
  expect(token).toMatch(tokenPattern)
  expect(await readToken(ctx, token)).toEqual({ kind, userId, tokenId, secretHash })
  expect(secretHash).toBe(digest(token.slice(-49, -6)))
})

test('rejects random, forged, altered, and truncated tokens without reading the table', async () => {
  const { ctx, calls } = await start()
  const { token } = await mintToken(ctx, 'pat', random62(12))
  const shaped = fc
    .tuple(fc.constantFrom('ses', 'pat'), fc.constantFrom(4, 8), fc.infiniteStream(fc.constantFrom(...base62)))
    .map(([kind, idLength, letters]) => {
      const take = (n: number) => [...letters.take(n)].join('')
      return `svc_${kind}_${take(12 + idLength)}_${take(49)}`
    })
  const altered = fc
    .tuple(fc.nat(token.length - 1), fc.constantFrom(...base62, '_', '-', 'é'))
    .map(([at, letter]) => token.slice(0, at) + letter + token.slice(at + 1))
    .filter((text) => text !== token)
  const cut = fc.nat(token.length - 1).map((length) => token.slice(0, length))
  const longer = fc.string({ minLength: 1, maxLength: 5 }).map((more) => token + more)
  const any = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), shaped, altered, cut, longer)
  await fc.assert(
    fc.asyncProperty(any, async (text) => {
      expect(await readToken(ctx, text)).toBeUndefined()
    }),
    { numRuns: 10_000 },
  )
  expect(await readToken(ctx, token)).toBeDefined()
  expect(calls).toEqual(['secretsmanager'])
})

test('rejects a token with any single character changed', async () => {
  const { ctx } = await start()
  const { token } = await mintToken(ctx, 'ses', random62(12))
  for (const at of token.split('').keys()) {
    const other = token[at] === 'a' ? 'b' : 'a'
    expect(await readToken(ctx, token.slice(0, at) + other + token.slice(at + 1)), `character ${at}`).toBeUndefined()
  }
})

test('accepts a rotated key while it is the previous one, and does not issue tokens with it', async () => {
  const { over } = await start({
    before: { current: older },
    during: { current: newer, previous: [older] },
    after: { current: newer },
  })
  const [before, during, after] = [over('before'), over('during'), over('after')]
  const old = await mintToken(before, 'pat', random62(12))
  const young = await mintToken(during, 'pat', random62(12))
  expect(await readToken(during, old.token)).toBeDefined()
  expect(await readToken(after, old.token)).toBeUndefined()
  expect(await readToken(after, young.token)).toBeDefined()
})

test('retries keys that could not be read', async () => {
  const { ctx, create, calls } = await start({})
  await expect(mintToken(ctx, 'ses', random62(12))).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  await create('keys', { current: newer })
  const { token } = await mintToken(ctx, 'ses', random62(12))
  expect(await readToken(ctx, token)).toBeDefined()
  expect(calls).toEqual(['secretsmanager', 'secretsmanager'])
})

test('rejects a key shorter than 32 characters', async () => {
  const { ctx } = await start({ keys: { current: 'short' } })
  await expect(mintToken(ctx, 'ses', random62(12))).rejects.toThrow('current')
})

test('reads the keys again after fifteen minutes', async () => {
  const { ctx, change, calls, now } = await start()
  const { token } = await mintToken(ctx, 'pat', random62(12))
  await change('keys', { current: older, previous: [newer] })
  now.ms += 15 * minuteMs - 1
  await mintToken(ctx, 'pat', random62(12))
  expect(calls).toHaveLength(1)
  now.ms += 1
  expect(await readToken(ctx, token)).toBeDefined()
  expect(calls).toHaveLength(2)
})

test('reads the keys again for a token of an unknown key, at most once a minute', async () => {
  const { ctx, over, create, change, calls, now } = await start()
  await create('other', { current: older })
  const { token } = await mintToken(over('other'), 'pat', random62(12))
  expect(await readToken(ctx, token)).toBeUndefined()
  await change('keys', { current: older })
  now.ms += minuteMs - 1
  expect(await readToken(ctx, token)).toBeUndefined()
  expect(calls).toHaveLength(2)
  now.ms += 1
  expect(await readToken(ctx, token)).toBeDefined()
  const wrong = `${token.slice(0, -6)}000000`
  for (let n = 0; n < 10; n += 1) expect(await readToken(ctx, wrong)).toBeUndefined()
  expect(calls).toHaveLength(3)
})

test('keys that cannot be read again stay in use, and a token that they do not verify is not rejected', async () => {
  const { ctx, over, create, engine, calls, now, logged } = await start()
  await create('other', { current: older })
  const stranger = await mintToken(over('other'), 'pat', random62(12))
  const { token } = await mintToken(ctx, 'pat', random62(12))
  await engine.close()
  now.ms += 60 * minuteMs
  expect(await readToken(ctx, token)).toBeDefined()
  expect(await readToken(ctx, token)).toBeDefined()
  expect(calls).toHaveLength(3)
  expect(logged.map((line) => JSON.parse(line).message)).toEqual(['the token keys were not read again'])
  await expect(readToken(ctx, stranger.token)).rejects.toThrow()
})
