import { DeleteSecretCommand, PutSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, test } from 'vitest'
import { browserPlatforms, formFieldsOf } from '../../../shared/platforms/definitions.ts'
import { platformIds } from '../../../shared/resources.ts'
import { start } from '../../support/start.ts'

/** The platforms with an app of the operator: the others have one for each server. */
const withApp = browserPlatforms.filter((platform) => formFieldsOf(platform).length === 0)

test('returns 503 for a platform without stored app credentials, and alerts the operator', async () => {
  const kit = await start()
  const secrets = new SecretsManagerClient({})
  for (const platform of withApp) {
    const SecretId = `${kit.ctx.env('PLATFORM_SECRETS_PREFIX')}${platform}`
    await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
    const began = kit.sessionApi.socialAccounts.connect({ params: { platform } })
    await expect(began, platform).rejects.toMatchObject({
      status: 503,
      body: { code: 'platform_not_configured', error: expect.stringContaining('is not configured') },
    })
  }
  secrets.destroy()
  expect(kit.logged.filter((line) => line.includes('operator action needed'))).toHaveLength(withApp.length)
})

test('returns 503 for a Reddit app without a Reddit user', async () => {
  const kit = await start()
  const secrets = new SecretsManagerClient({})
  const SecretId = `${kit.ctx.env('PLATFORM_SECRETS_PREFIX')}reddit`
  const SecretString = JSON.stringify({ clientId: 'id', clientSecret: 'secret' })
  await secrets.send(new PutSecretValueCommand({ SecretId, SecretString }))
  secrets.destroy()
  await expect(kit.sessionApi.socialAccounts.connect({ params: { platform: 'reddit' } })).rejects.toMatchObject({
    status: 503,
    body: { code: 'platform_not_configured', error: expect.stringContaining('`redditUser`') },
  })
  expect(kit.logged.filter((line) => line.includes('operator action needed'))).toHaveLength(1)
})

test('a link without a platform offers none whose app is missing, and cannot name it', async () => {
  const kit = await start()
  const secrets = new SecretsManagerClient({})
  const SecretId = `${kit.ctx.env('PLATFORM_SECRETS_PREFIX')}tiktok`
  await secrets.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
  secrets.destroy()
  const { authorizeUrl } = await kit.sessionApi.socialAccounts.createLink({})
  const page = await (await fetch(authorizeUrl)).text()
  const offered = [...page.matchAll(/<button name="platform" value="(\w+)">/g)].map(([, id]) => id)
  expect(offered).toEqual(platformIds.filter((id) => id !== 'tiktok'))
  const named = kit.sessionApi.socialAccounts.createLink({ body: { platforms: ['x', 'tiktok'] } })
  await expect(named).rejects.toMatchObject({ status: 503, body: { code: 'platform_not_configured' } })
})

test('returns 400 for an unknown platform, and names the known ones', async () => {
  const kit = await start()
  const params = { platform: 'myspace' as 'x' }
  await expect(kit.sessionApi.socialAccounts.connect({ params })).rejects.toMatchObject({
    status: 400,
    body: { field: 'platform', error: expect.stringContaining('pinterest') },
  })
})
