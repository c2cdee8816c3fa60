import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  GetSecretValueCommand,
  InvalidRequestException,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { expect, onTestFinished, test } from 'vitest'
import { dayMs } from '../../../../shared/time.ts'
import { startSecrets } from '../../engines/secrets.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }

async function start(folder?: string) {
  let now = Date.UTC(2030, 0, 1)
  const engine = await startSecrets({ clock: { now: () => now }, ...(folder && { folder }) })
  const client = new SecretsManagerClient({ region: 'us-east-1', endpoint: engine.url, credentials, maxAttempts: 1 })
  onTestFinished(() => {
    client.destroy()
    return engine.close()
  })
  const pass = (days: number) => {
    now += days * dayMs
  }
  const get = (SecretId: string, VersionStage?: string) =>
    client.send(new GetSecretValueCommand({ SecretId, ...(VersionStage && { VersionStage }) }))
  return { client, get, pass }
}

test('a secret is read by name, by ARN, and by the ARN without its suffix', async () => {
  const { client, get } = await start()
  const { ARN = '' } = await client.send(new CreateSecretCommand({ Name: 'app/token-keys', SecretString: 'one' }))
  expect(ARN).toMatch(/^arn:aws:secretsmanager:us-east-1:000000000000:secret:app\/token-keys-\w{6}$/)
  for (const id of ['app/token-keys', ARN, ARN.slice(0, -7)]) {
    expect(await get(id)).toMatchObject({ SecretString: 'one', VersionStages: ['AWSCURRENT'], ARN })
  }
})

test('binary values are returned as bytes', async () => {
  const { client, get } = await start()
  await client.send(new CreateSecretCommand({ Name: 'raw', SecretBinary: Buffer.from([0, 255, 7]) }))
  expect((await get('raw')).SecretBinary).toEqual(new Uint8Array([0, 255, 7]))
})

test('a new value becomes AWSCURRENT and the previous one AWSPREVIOUS', async () => {
  const { client, get } = await start()
  await client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'one' }))
  const second = await client.send(new PutSecretValueCommand({ SecretId: 'keys', SecretString: 'two' }))
  expect((await get('keys')).SecretString).toBe('two')
  expect((await get('keys', 'AWSPREVIOUS')).SecretString).toBe('one')
  const third = await client.send(new PutSecretValueCommand({ SecretId: 'keys', SecretString: 'three' }))
  expect((await get('keys', 'AWSPREVIOUS')).SecretString).toBe('two')
  expect(await get('keys')).toMatchObject({ VersionId: third.VersionId, VersionStages: ['AWSCURRENT'] })
  expect(await get('keys', 'AWSPREVIOUS')).toMatchObject({
    VersionId: second.VersionId,
    VersionStages: ['AWSPREVIOUS'],
  })
})

test('a pending value does not become the current one', async () => {
  const { client, get } = await start()
  await client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'one' }))
  const put = new PutSecretValueCommand({ SecretId: 'keys', SecretString: 'two', VersionStages: ['AWSPENDING'] })
  const { VersionId } = await client.send(put)
  expect((await get('keys')).SecretString).toBe('one')
  const byId = await client.send(new GetSecretValueCommand({ SecretId: 'keys', VersionId }))
  expect(byId).toMatchObject({ SecretString: 'two', VersionStages: ['AWSPENDING'] })
})

test('a repeated put creates one version, and is rejected with another value', async () => {
  const { client, get } = await start()
  await client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'one' }))
  const put = { SecretId: 'keys', SecretString: 'two', ClientRequestToken: '5'.repeat(32) }
  await client.send(new PutSecretValueCommand(put))
  await client.send(new PutSecretValueCommand(put))
  expect((await get('keys', 'AWSPREVIOUS')).SecretString).toBe('one')
  const other = client.send(new PutSecretValueCommand({ ...put, SecretString: 'three' }))
  await expect(other).rejects.toBeInstanceOf(ResourceExistsException)
})

test('rejects a name that is taken', async () => {
  const { client } = await start()
  await client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'one' }))
  const again = client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'two' }))
  await expect(again).rejects.toBeInstanceOf(ResourceExistsException)
})

test('a missing secret is a ResourceNotFoundException', async () => {
  const { client, get } = await start()
  await expect(get('nothing')).rejects.toBeInstanceOf(ResourceNotFoundException)
  await client.send(new CreateSecretCommand({ Name: 'empty' }))
  await expect(get('empty')).rejects.toBeInstanceOf(ResourceNotFoundException)
})

test('a deleted secret returns no value and is removed after its recovery window, or immediately with force', async () => {
  const { client, get, pass } = await start()
  await client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'one' }))
  await client.send(new DeleteSecretCommand({ SecretId: 'keys', RecoveryWindowInDays: 7 }))
  await expect(get('keys')).rejects.toBeInstanceOf(InvalidRequestException)
  const early = client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'two' }))
  await expect(early).rejects.toBeInstanceOf(InvalidRequestException)
  pass(7)
  await client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'two' }))
  await client.send(new DeleteSecretCommand({ SecretId: 'keys', ForceDeleteWithoutRecovery: true }))
  await expect(get('keys')).rejects.toBeInstanceOf(ResourceNotFoundException)
})

test('secrets survive a restart, and the error names a corrupt file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const before = await start(folder)
  await before.client.send(new CreateSecretCommand({ Name: 'keys', SecretString: 'one' }))
  await before.client.send(new PutSecretValueCommand({ SecretId: 'keys', SecretString: 'two' }))
  const after = await start(folder)
  expect((await after.get('keys', 'AWSPREVIOUS')).SecretString).toBe('one')
  expect(readdirSync(folder)).toEqual(['secrets.json'])

  const path = join(folder, 'secrets.json')
  writeFileSync(path, '[{"name":"keys"}]')
  const broken = startSecrets({ clock: { now: () => 0 }, folder })
  await expect(broken).rejects.toThrow(`The state file ${path} is corrupt`)
})
