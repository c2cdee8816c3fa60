import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms'
import { expect, onTestFinished, test } from 'vitest'
import { startKeys } from '../../engines/keys.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
const clock = { now: () => Date.UTC(2030, 0, 1) }
const plain = Buffer.from('a platform token')

async function start(folder?: string) {
  const engine = await startKeys({ clock, ...(folder && { folder }) })
  const client = new KMSClient({ region: 'us-east-1', endpoint: engine.url, credentials, maxAttempts: 1 })
  onTestFinished(() => {
    client.destroy()
    return engine.close()
  })
  return client
}

test('decrypts under the same context, with its pairs in any order', async () => {
  const client = await start()
  const sealed = await client.send(
    new EncryptCommand({ KeyId: 'app', Plaintext: plain, EncryptionContext: { workspace: 'w1', purpose: 'token' } }),
  )
  expect(Buffer.from(sealed.CiphertextBlob ?? []).includes(plain)).toBe(false)
  const opened = await client.send(
    new DecryptCommand({
      CiphertextBlob: sealed.CiphertextBlob,
      EncryptionContext: { purpose: 'token', workspace: 'w1' },
    }),
  )
  expect(Buffer.from(opened.Plaintext ?? []).toString()).toBe('a platform token')
  expect(opened.KeyId).toBe('arn:aws:kms:us-east-1:000000000000:key/app')
})

test.each([
  ['another value', { workspace: 'w2' }],
  ['one pair more', { workspace: 'w1', more: 'x' }],
  ['no context', undefined],
])('rejects %s as context', async (_, context) => {
  const client = await start()
  const { CiphertextBlob } = await client.send(
    new EncryptCommand({ KeyId: 'app', Plaintext: plain, EncryptionContext: { workspace: 'w1' } }),
  )
  const decrypt = client.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: context }))
  await expect(decrypt).rejects.toBeInstanceOf(InvalidCiphertextException)
})

test('rejects a ciphertext with any byte changed', async () => {
  const client = await start()
  const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: 'app', Plaintext: plain }))
  const sealed = CiphertextBlob ?? new Uint8Array()
  for (const at of [0, 1, 2, 20, sealed.length - 17, sealed.length - 1]) {
    const changed = sealed.map((byte, index) => (index === at ? byte ^ 1 : byte))
    const decrypt = client.send(new DecryptCommand({ CiphertextBlob: changed }))
    await expect(decrypt, `byte ${at}`).rejects.toBeInstanceOf(InvalidCiphertextException)
  }
  const empty = client.send(new DecryptCommand({ CiphertextBlob: Buffer.from('x') }))
  await expect(empty).rejects.toBeInstanceOf(InvalidCiphertextException)
})

test('the key is bound into the ciphertext, by id or by ARN', async () => {
  const client = await start()
  const { CiphertextBlob } = await client.send(new EncryptCommand({ KeyId: 'app', Plaintext: plain }))
  const other = client.send(new DecryptCommand({ CiphertextBlob, KeyId: 'other' }))
  await expect(other).rejects.toBeInstanceOf(IncorrectKeyException)
  const arn = 'arn:aws:kms:us-east-1:000000000000:key/app'
  const opened = await client.send(new DecryptCommand({ CiphertextBlob, KeyId: arn }))
  expect(opened.KeyId).toBe(arn)
})

test.each([
  [{ KeySpec: 'AES_256' as const }, 32],
  [{ NumberOfBytes: 24 }, 24],
])('a data key of %j is returned only encrypted, under its context', async (size, length) => {
  const client = await start()
  const EncryptionContext = { workspace: 'w1' }
  const make = new GenerateDataKeyWithoutPlaintextCommand({ KeyId: 'app', ...size, EncryptionContext })
  const made = await client.send(make)
  expect(made).not.toHaveProperty('Plaintext')
  const opened = await client.send(new DecryptCommand({ CiphertextBlob: made.CiphertextBlob, EncryptionContext }))
  expect(opened.Plaintext).toHaveLength(length)
})

test('rejects what KMS rejects', async () => {
  const client = await start()
  const both = { KeyId: 'app', KeySpec: 'AES_256' as const, NumberOfBytes: 32 }
  await expect(client.send(new GenerateDataKeyWithoutPlaintextCommand(both))).rejects.toMatchObject({
    name: 'ValidationException',
  })
  const long = client.send(new EncryptCommand({ KeyId: 'app', Plaintext: Buffer.alloc(4097) }))
  await expect(long).rejects.toMatchObject({ name: 'ValidationException' })
  await client.send(new EncryptCommand({ KeyId: 'app', Plaintext: Buffer.alloc(4096) }))
})

test('the key material survives a restart, and the error names a corrupt file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keys-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const before = await start(folder)
  const { CiphertextBlob } = await before.send(new EncryptCommand({ KeyId: 'app', Plaintext: plain }))
  const after = await start(folder)
  const opened = await after.send(new DecryptCommand({ CiphertextBlob }))
  expect(Buffer.from(opened.Plaintext ?? [])).toEqual(plain)

  const path = join(folder, 'keys.json')
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 20))
  const broken = startKeys({ clock, folder })
  await expect(broken).rejects.toThrow(`The state file ${path} is corrupt`)
})
