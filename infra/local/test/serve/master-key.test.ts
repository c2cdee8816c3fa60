import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateSecretCommand, GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, onTestFinished, test } from 'vitest'
import { startSecrets } from '../../engines/secrets.ts'
import { openMasterKey, readMasterKey } from '../../serve/master-key.ts'
import { systemClock as clock } from '../../service/system-clock.ts'

const makePaths = () => {
  const home = mkdtempSync(join(tmpdir(), 'key-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  return { folder: join(home, 'state'), file: join(home, 'keys/master') }
}

test('the key is made once, in a file that only its owner can read, outside of the state', () => {
  const { folder, file } = makePaths()
  expect(readMasterKey(folder, file)).toBe(undefined)
  expect(existsSync(file), 'a read makes nothing').toBe(false)
  const first = openMasterKey(folder, file)
  expect(first).toEqual({ key: Buffer.from(readFileSync(file, 'utf8'), 'base64'), isNew: true })
  expect(first.key).toHaveLength(32)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(openMasterKey(folder, file)).toEqual({ ...first, isNew: false })
})

test('a key that is missing, wrong, readable for others, or no key is refused, and the state stays', () => {
  const { folder, file } = makePaths()
  const { key } = openMasterKey(folder, file)
  const check = readFileSync(join(folder, 'key-check.json'), 'utf8')
  const refused = (content: string | undefined, sentence: string | RegExp, mode = 0o600) => {
    rmSync(file)
    if (content !== undefined) writeFileSync(file, content)
    if (content !== undefined) chmodSync(file, mode)
    expect(() => openMasterKey(folder, file)).toThrow(sentence)
    writeFileSync(file, key.toString('base64'))
    chmodSync(file, 0o600)
  }
  refused(undefined, 'is missing')
  refused(Buffer.alloc(32, 7).toString('base64'), 'is not the one that')
  refused(key.toString('base64'), 'chmod 600', 0o640)
  refused('too short', 'has no key')
  expect(readFileSync(join(folder, 'key-check.json'), 'utf8')).toBe(check)
  expect(openMasterKey(folder, file).key).toEqual(key)
})

test('the file of the secrets is encrypted, and only the same key reads it', async () => {
  const { folder } = makePaths()
  const open = async (masterKey: Buffer) => {
    const engine = await startSecrets({ clock, folder, masterKey })
    onTestFinished(() => engine.close())
    const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }
    return new SecretsManagerClient({ endpoint: engine.url, region: 'us-east-1', credentials })
  }
  const key = Buffer.alloc(32, 1)
  const SecretString = '{"clientSecret":"s3cr3t-of-linkedin"}'
  await (await open(key)).send(new CreateSecretCommand({ Name: 'apps/linkedin', SecretString }))
  const stored = readFileSync(join(folder, 'secrets.json'), 'utf8')
  expect(stored).not.toMatch(/linkedin|s3cr3t/)
  expect(await (await open(key)).send(new GetSecretValueCommand({ SecretId: 'apps/linkedin' }))).toMatchObject({
    SecretString,
  })
  await expect(open(Buffer.alloc(32, 2))).rejects.toThrow('secrets.json is corrupt')
})
