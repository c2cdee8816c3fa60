import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfiguration } from '../../infra/deploy/stacks/configuration.ts'
import { settings } from './synth.ts'

const read = (context: Readonly<Record<string, unknown>>) =>
  readConfiguration(new App({ context: { ...context }, analyticsReporting: false }).node)

test('the command line passes text: numbers and objects are parsed, and text stays text', () => {
  const configuration = read({
    ...settings,
    webhookRetentionDays: '7',
    account: '111122223333',
    rateLimits: '{"general":{"calls":500,"perSeconds":60},"ai":null}',
    maximumConcurrency: '{"publish-x":40,"purge":null}',
    firewall: 'off',
    pollers: '{"publish-slack":{"minimum":2,"maximum":50}}',
    warmThroughput: '{"table":{"write":40000}}',
    apiThrottling: '{"rate":5000,"burst":2500}',
  })
  expect(configuration).toMatchObject({
    webhookRetentionDays: 7,
    account: '111122223333',
    rateLimits: { general: { calls: 500, perSeconds: 60 }, ai: null },
    maximumConcurrency: { 'publish-x': 40, 'publish-slack': null, purge: null, deliver: 100 },
    firewall: 'off',
    pollers: { 'publish-slack': { minimum: 2, maximum: 50 } },
    warmThroughput: { table: { read: 12_000, write: 40_000 } },
    apiThrottling: { rate: 5000, burst: 2500 },
  })
})

test.each([
  ['stage', 'Prod', /^"stage" is "Prod"\. Set "stage" to a name of at most 10 lowercase letters and digits/],
  ['stage', 'production1', /^"stage" is "production1"\. .* AWS Lambda takes 64 characters\.$/],
  ['stage', undefined, /^"stage" is not set\. /],
  ['account', '1234', /^"account" is "1234"\. Set "account" to the 12 digits of an AWS account, as text\.$/],
  ['account', undefined, /^"account" is not set\. /],
  ['region', undefined, /^"region" is not set\. /],
  ['baseUrl', 'https://api.example.com/', /^"baseUrl" is ".*"\. Set "baseUrl" to a URL without a slash at the end/],
  ['mailFrom', undefined, /^"mailFrom" is not set\. Set "mailFrom" to an email address that, itself or/],
  ['allowedOrigins', 'http://127.0.0.1:4000', /^"allowedOrigins" is ".*"\. Set .* none of them on loopback\.$/],
  ['allowedOrigins', 'https://hooks.example.com,http://localhost:4000', /none of them on loopback\.$/],
  ['allowedOrigins', 'http://127.0.0.1:*', /none of them on loopback\.$/],
  ['allowedOrigins', 'http://[::1]:4000', /none of them on loopback\.$/],
  ['webhookRetentionDays', '7 days', /^"webhookRetentionDays" is "7 days"\. Set .* to a whole number from 1 to 90\.$/],
  ['firewall', 'none', /^"firewall" is "none"\. Set "firewall" to "on" or "off"\.$/],
  ['webhookRetentionDays', 91, /^"webhookRetentionDays" is 91\. /],
  [
    'rateLimits',
    '{"general":{"calls":0,"perSeconds":60}}',
    /^"rateLimits\.general\.calls" is 0\. Set "rateLimits" to an object/,
  ],
  [
    'maximumConcurrency',
    { 'publish-x': 1 },
    /^"maximumConcurrency\.publish-x" is 1\. Set .* whole numbers from 2 to 1000/,
  ],
  [
    'pollers',
    { 'publish-x': { minimum: 1, maximum: 9 } },
    /^"pollers\.publish-x\.minimum" is 1\. Set .* from 2 to 200/,
  ],
  ['pollers', { 'publish-x': { minimum: 9, maximum: 3 } }, /^"pollers\.publish-x" is .*\. Set "pollers" to an object/],
  [
    'warmThroughput',
    { sweep: { write: 3000 } },
    /^"warmThroughput\.sweep\.write" is 3000\. Set .* by table, account, status, sweep, waiting, time, with at least 12000 for "read" and 4000/,
  ],
  [
    'apiThrottling',
    500,
    /^"apiThrottling" is 500\. Set "apiThrottling" to an object such as \{"rate":1000,"burst":500\}\.$/,
  ],
])('rejects "%s" as %j with one sentence that lists the allowed values', (name, value, sentence) => {
  const { [name]: _, ...others } = settings as Record<string, unknown>
  expect(() => read(value === undefined ? others : { ...others, [name]: value })).toThrow(sentence)
})

test('rejects a queue with pollers and a maximum of invocations, of which Lambda takes one', () => {
  const pollers = { 'publish-x': { minimum: 2, maximum: 50 } }
  expect(() => read({ ...settings, pollers, maximumConcurrency: { 'publish-x': 40 } })).toThrow(
    /^"publish-x" is in "pollers" and in "maximumConcurrency"\. Remove it from one: /,
  )
})

test('every invalid setting has its own message', () => {
  const wrong = () => read({ ...settings, mailFrom: 'nobody', eventBus: 'none' })
  expect(wrong).toThrow(/^"mailFrom" is "nobody".*\n"eventBus" is "none".*$/)
})

const withCredentials = (account: string, region: string) => {
  const earlier = { ...process.env }
  onTestFinished(() => {
    for (const name of ['CDK_DEFAULT_ACCOUNT', 'CDK_DEFAULT_REGION']) {
      if (earlier[name] === undefined) delete process.env[name]
      else process.env[name] = earlier[name]
    }
  })
  Object.assign(process.env, { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region })
}

test('rejects credentials of another account or region before synthesis', () => {
  withCredentials('444455556666', 'eu-central-1')
  expect(() => read(settings)).toThrow(
    'The stage "test" belongs to the account 111122223333. The credentials are of 444455556666.',
  )
  withCredentials('111122223333', 'us-east-1')
  expect(() => read(settings)).toThrow(
    'The stage "test" belongs to the region eu-central-1. The credentials are for us-east-1.',
  )
  withCredentials('111122223333', 'eu-central-1')
  expect(read(settings).names.physical('api')).toBe('social-test-api')
})

const folder = join(import.meta.dirname, '../../infra/deploy/stages')

const writeStage = (stage: string, text: string) => {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${stage}.json`)
  writeFileSync(path, text, { flag: 'wx' })
  onTestFinished(() => rmSync(path))
}

test('a stage has its own settings file, which the command line overrides', () => {
  const { stage: _, ...others } = settings as Record<string, unknown>
  writeStage('filed', JSON.stringify({ ...others, webhookRetentionDays: 14, alarmMail: 'ops@example.com' }))
  expect(read({ stage: 'filed', alarmMail: 'other@example.com' })).toMatchObject({
    ...others,
    stage: 'filed',
    webhookRetentionDays: 14,
    alarmMail: 'other@example.com',
  })
})

test('rejects a file that is not JSON or has an unknown setting, by name', () => {
  writeStage('broken', '{')
  expect(() => read({ stage: 'broken' })).toThrow(/^infra\/deploy\/stages\/broken\.json is not JSON: /)
  writeStage('listed', '[]')
  expect(() => read({ stage: 'listed' })).toThrow('infra/deploy/stages/listed.json must hold one object')
  writeStage('mistyped', '{"mailfrom":"a@example.com"}')
  expect(() => read({ stage: 'mistyped' })).toThrow(
    'infra/deploy/stages/mistyped.json has "mailfrom", which is no setting. Settings: stage, account,',
  )
})

test('an earlier release drops the settings that it does not know, and names them', () => {
  const { stage: _, ...others } = settings as Record<string, unknown>
  writeStage('newer', JSON.stringify({ ...others, webhookRetentionDays: 14, ofTomorrow: 'on', alsoOfIt: 1 }))
  process.env['SETTINGS_OF_NEWER_RELEASE'] = 'yes'
  onTestFinished(() => void delete process.env['SETTINGS_OF_NEWER_RELEASE'])
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  const configuration = read({ stage: 'newer' })
  expect(configuration).toMatchObject({ webhookRetentionDays: 14 })
  expect(configuration).not.toHaveProperty('ofTomorrow')
  expect(write.mock.calls.map(([text]) => text)).toEqual([
    'infra/deploy/stages/newer.json has "ofTomorrow", "alsoOfIt", which this release does not know. It is deployed without.\n',
  ])
})

test('the example of a stage is valid', () => {
  expect(read({ stage: 'example' })).toMatchObject({ stage: 'example', account: '111122223333' })
})
