import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSettings } from '../../serve/settings.ts'

const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const read = (environment: Record<string, string>, inFile?: object | string, mode = 0o600) => {
  const folder = makeFolder()
  const file = join(folder, 'serve.json')
  if (inFile !== undefined) writeFileSync(file, typeof inFile === 'string' ? inFile : JSON.stringify(inFile), { mode })
  return { folder, settings: readSettings({ file, isNamed: inFile !== undefined, environment }) }
}

test('the owner is the only setting that is required', () => {
  const { folder, settings } = read({ OWNER: 'ann@bakery.test' })
  expect(settings).toEqual({
    owner: 'ann@bakery.test',
    mailFrom: 'ann@bakery.test',
    port: 3000,
    listenAddress: '127.0.0.1',
    baseUrl: 'http://127.0.0.1:3000',
    mediaUrl: 'http://127.0.0.1:3000',
    trustedProxies: [],
    state: join(folder, '.serve'),
    keyFile: join(folder, '.serve.key'),
    backupHours: 24,
    maxBackups: 7,
    allowedOrigins: [],
    apps: {},
  })
})

test('a variable wins over the file, `_FILE` names a file with the value, and paths are relative to the settings', () => {
  const folder = makeFolder()
  writeFileSync(join(folder, 'secret'), 's3cr3t-of-linkedin\n')
  const inFile = {
    owner: 'ann@bakery.test',
    port: 8080,
    state: 'data',
    apps: { reddit: { clientId: 'r', clientSecret: 's' } },
  }
  const environment = {
    PORT: '9090',
    BACKUP_FOLDER: 'backups',
    BACKUP_HOURS: '12',
    LINKEDIN_CLIENT_ID: '86abc',
    LINKEDIN_CLIENT_SECRET_FILE: join(folder, 'secret'),
    ALLOWED_ORIGINS: 'https://blog.lan, http://10.0.0.5:8080',
  }
  const { folder: home, settings } = read(environment, inFile)
  expect(settings).toMatchObject({
    port: 9090,
    baseUrl: 'http://127.0.0.1:9090',
    state: join(home, 'data'),
    backupFolder: join(home, 'backups'),
    backupHours: 12,
    allowedOrigins: ['https://blog.lan', 'http://10.0.0.5:8080'],
    apps: {
      linkedin: { clientId: '86abc', clientSecret: 's3cr3t-of-linkedin' },
      reddit: { clientId: 'r', clientSecret: 's' },
    },
  })
})

test('with a name, files are at the same one, and the proxy of this machine is believed', () => {
  const named = { OWNER: 'ann@bakery.test', BASE_URL: 'https://social.bakery.test' }
  expect(read(named).settings).toMatchObject({
    mediaUrl: 'https://social.bakery.test',
    trustedProxies: ['127.0.0.1', '::1'],
  })
  const others = { MEDIA_URL: 'https://media.bakery.test', TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8' }
  expect(read({ ...named, ...others }).settings).toMatchObject({
    mediaUrl: 'https://media.bakery.test',
    trustedProxies: ['10.0.0.0/8', 'fd00::/8'],
  })
})

test('every mistake has a sentence with the fix, and no sentence has a secret', () => {
  const environment = {
    OWNER: 'ann',
    PORT: '99999',
    METRICS_PORT: 'many',
    BACKUP_HOURS: 'daily',
    BASE_URL: 'https://social.example.com/path',
    SMTP_URL: 'http://user:hunter2@mail.example.com',
    X_CLIENT_ID: 'only-an-id',
    LISTEN_ADDRESS: 'everywhere',
    TRUSTED_PROXIES: 'caddy',
    MAIL_FROM_FILE: '/nowhere/at/all',
  }
  let message = ''
  try {
    read(environment, { colour: 'red' })
  } catch (error) {
    message = String(error)
  }
  const says = (part: string) => expect(message).toContain(part)
  says('"colour" is no setting. Settings: owner, state, port,')
  says('"owner" is "ann". Set "owner" in')
  says('or OWNER, to the email address of the person who signs in first.')
  says('"port" is 99999.')
  says('"metricsPort" is "many".')
  says('"backupHours" is "daily". Set "backupHours" in')
  says('"baseUrl" is "https://social.example.com/path".')
  says('"smtpUrl" is wrong. Set "smtpUrl" in')
  says('"listenAddress" is "everywhere".')
  says('"trustedProxies" is ["caddy"].')
  says('"apps" is wrong.')
  says('MAIL_FROM_FILE cannot be read: ENOENT')
  expect(message).not.toContain('hunter2')
})

test.each([
  ['your-client-id', 'abc'],
  ['<client id>', 'abc'],
  ['86abc', 'changeme'],
  ['86abc', 'put-secret-here'],
])('the example values %s and %s are refused', (clientId, clientSecret) => {
  const apps = { linkedin: { clientId, clientSecret } }
  expect(() => read({ OWNER: 'ann@bakery.test' }, { apps })).toThrow('The app of linkedin has an example value.')
})

test('platforms that fetch media, or demand HTTPS, are refused without a public name', () => {
  const app = { clientId: '86abc', clientSecret: '7c1d' }
  const apps = { linkedin: app, instagram: app, slack: app }
  expect(() => read({ OWNER: 'ann@bakery.test' }, { apps })).toThrow(
    '"apps" has instagram, slack, which need HTTPS: set "baseUrl" to the https origin of a proxy, or remove the apps.',
  )
  const named = { OWNER: 'ann@bakery.test', BASE_URL: 'https://social.bakery.test' }
  expect(Object.keys(read(named, { apps }).settings.apps)).toEqual(Object.keys(apps))
})

test('a file with secrets that other people can read is refused, and one without is not', () => {
  const apps = { x: { clientId: 'id-of-x', clientSecret: 's' } }
  expect(() => read({ OWNER: 'ann@bakery.test' }, { apps }, 0o644)).toThrow(/chmod 600 .*serve\.json/)
  expect(read({}, { owner: 'ann@bakery.test' }, 0o644).settings.owner).toBe('ann@bakery.test')
})

test('a file that is missing, or is no JSON, is named', () => {
  const file = join(makeFolder(), 'mine.json')
  expect(() => readSettings({ file, isNamed: true, environment: {} })).toThrow(`The file ${file} does not exist.`)
  expect(() => read({}, '{')).toThrow('is not JSON')
  expect(() => read({}, '[]')).toThrow('must have one object')
})
