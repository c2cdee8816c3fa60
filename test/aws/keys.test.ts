import { createDecipheriv } from 'node:crypto'
import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startKeys } from '../../infra/local/engines/keys.ts'
import { decryptText, encryptText, newDataKey } from '../../shared/aws/keys.ts'
import { makeContext } from '../../shared/context.ts'

async function start() {
  let now = Date.UTC(2030, 0, 1)
  const clock = { now: () => now, sleep: async () => undefined }
  const engine = await startKeys({ clock })
  vi.stubEnv('AWS_ENDPOINT_URL_KMS', engine.url)
  vi.stubEnv('AWS_REGION', 'us-east-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local')
  const kms = new KMSClient({})
  onTestFinished(async () => {
    kms.destroy()
    vi.unstubAllEnvs()
    await engine.close()
  })
  const calls: string[] = []
  const ctx = makeContext(
    { DATA_KEY_ID: 'data' },
    {
      clock,
      observe: (effect, run) => {
        calls.push(effect.action)
        return run()
      },
    },
  )
  const holder = async (id: string) => ({ id, dataKey: await newDataKey(ctx, id) })
  return { ctx, kms, calls, holder, pass: (ms: number) => (now += ms) }
}

test('decrypts any text in full, and the ciphertext does not contain it', async () => {
  const { ctx, holder } = await start()
  const one = await holder('ws_1')
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 300 }), async (text) => {
      expect(await decryptText(ctx, one, 'webhook', await encryptText(ctx, one, 'webhook', text))).toBe(text)
    }),
    { numRuns: 200 },
  )
  const sealed = await encryptText(ctx, one, 'webhook', 'a secret of ours')
  expect(Buffer.from(sealed, 'base64url').includes('a secret of ours')).toBe(false)
  expect(await encryptText(ctx, one, 'webhook', 'a secret of ours')).not.toBe(sealed)
})

test('a ciphertext decrypts only for its own workspace and purpose', async () => {
  const { ctx, holder } = await start()
  const [one, two] = [await holder('ws_1'), await holder('ws_2')]
  const sealed = await encryptText(ctx, one, 'credentials', 'a token')
  await expect(decryptText(ctx, one, 'webhook', sealed)).rejects.toThrow()
  await expect(decryptText(ctx, two, 'credentials', sealed)).rejects.toThrow()
  // A row whose data key was copied from another workspace: KMS refuses the key itself.
  await expect(decryptText(ctx, { ...two, dataKey: one.dataKey }, 'credentials', sealed)).rejects.toThrow('context')
  expect(await decryptText(ctx, one, 'credentials', sealed)).toBe('a token')
})

test('rejects a ciphertext with any byte changed or removed', async () => {
  const { ctx, holder } = await start()
  const one = await holder('ws_1')
  const bytes = Buffer.from(await encryptText(ctx, one, 'webhook', 'text'), 'base64url')
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes.map((byte, n) => (n === at ? byte ^ 1 : byte))).toString('base64url')
    await expect(decryptText(ctx, one, 'webhook', changed), `byte ${at}`).rejects.toThrow()
    const short = bytes.subarray(0, at).toString('base64url')
    await expect(decryptText(ctx, one, 'webhook', short), `first ${at} bytes`).rejects.toThrow()
  }
})

test('the table stores nonce, tag, and ciphertext, bound to workspace and purpose', async () => {
  const { ctx, holder, kms } = await start()
  const one = await holder('ws_1')
  const sealed = Buffer.from(await encryptText(ctx, one, 'webhook', 'text'), 'base64url')
  const { Plaintext = new Uint8Array() } = await kms.send(
    new DecryptCommand({
      CiphertextBlob: Buffer.from(one.dataKey, 'base64'),
      EncryptionContext: { workspaceId: 'ws_1' },
    }),
  )
  const decipher = createDecipheriv('aes-256-gcm', Plaintext, sealed.subarray(0, 12))
  decipher.setAAD(Buffer.from('ws_1\nwebhook')).setAuthTag(sealed.subarray(12, 28))
  expect(decipher.update(sealed.subarray(28), undefined, 'utf8') + decipher.final('utf8')).toBe('text')
})

test('KMS decrypts a data key once in five minutes', async () => {
  const { ctx, calls, holder, pass } = await start()
  const one = await holder('ws_1')
  const sealed = await encryptText(ctx, one, 'webhook', 'text')
  pass(5 * 60_000 - 1)
  await decryptText(ctx, one, 'webhook', sealed)
  expect(calls).toEqual(['GenerateDataKeyWithoutPlaintext', 'Decrypt'])
  pass(1)
  await decryptText(ctx, one, 'webhook', sealed)
  expect(calls).toEqual(['GenerateDataKeyWithoutPlaintext', 'Decrypt', 'Decrypt'])
})

test('a data key that failed to decrypt is requested again', async () => {
  const { ctx, calls } = await start()
  const broken = { id: 'ws_1', dataKey: Buffer.from('not a key').toString('base64') }
  await expect(encryptText(ctx, broken, 'webhook', 'text')).rejects.toThrow()
  await expect(encryptText(ctx, broken, 'webhook', 'text')).rejects.toThrow()
  expect(calls).toEqual(['Decrypt', 'Decrypt'])
})
