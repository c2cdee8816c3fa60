import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { endingPlatforms, findingOf } from '../../infra/deploy/preflight/versions.ts'
import { listen, readBody } from '../../infra/local/pages/server.ts'
import { dayMs } from '../../shared/time.ts'

const root = join(import.meta.dirname, '../..')
const preflight = join(root, 'infra/commands/preflight.ts')

/** What an account answers: by the path of the request, and by the action for services that have only one path. */
type Account = Readonly<Record<string, { status?: number; body: object | string }>>

const summary = (roles: number) =>
  `<GetAccountSummaryResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><GetAccountSummaryResult><SummaryMap><entry><key>Roles</key><value>${roles}</value></entry><entry><key>RolesQuota</key><value>1000</value></entry></SummaryMap></GetAccountSummaryResult></GetAccountSummaryResponse>`
const noRole =
  '<ErrorResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><Error><Type>Sender</Type><Code>NoSuchEntity</Code><Message>none</Message></Error></ErrorResponse>'

const good: Account = {
  '/2016-08-19/account-settings': { body: { AccountLimit: { ConcurrentExecutions: 2_000 } } },
  GetAccountSummary: { body: summary(100) },
  GetRole: { status: 404, body: noRole },
  'AWSEvents.DescribeEventBus': { status: 400, body: { __type: 'ResourceNotFoundException', message: 'none' } },
  '/v2/email/account': { body: { ProductionAccessEnabled: true } },
  '/v2/email/identities/example.com': { body: { VerifiedForSendingStatus: true } },
  'CertificateManager.DescribeCertificate': {
    body: { Certificate: { Status: 'ISSUED', SubjectAlternativeNames: ['*.example.com'] } },
  },
}

const serve = async (account: Account): Promise<string> => {
  const listener = await listen(0)
  onTestFinished(() => listener.close())
  listener.onRequest(async (incoming, outgoing) => {
    const body = (await readBody(incoming, 100_000))?.toString() ?? ''
    const action = incoming.headers['x-amz-target'] ?? new URLSearchParams(body).get('Action') ?? undefined
    const path = decodeURIComponent(incoming.url?.split('?')[0] ?? '')
    const answer = account[String(action)] ?? account[path]
    const missing = { status: 404, body: { message: 'none' } }
    const { status = 200, body: sent } = answer ?? missing
    outgoing.writeHead(status, answer ? {} : { 'x-amzn-errortype': 'NotFoundException' })
    outgoing.end(typeof sent === 'string' ? sent : JSON.stringify(sent))
  })
  return listener.url
}

const settings = {
  stage: 'test',
  account: '111122223333',
  region: 'eu-central-1',
  baseUrl: 'https://api.example.com',
  mailFrom: 'post@mail.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1',
}

const run = async (account: Account, changes: Readonly<Record<string, string>> = {}) => {
  const url = await serve(account)
  const context = Object.entries({ ...settings, ...changes }).flatMap(([name, value]) => [
    '--context',
    `${name}=${value}`,
  ])
  const env = {
    PATH: process.env['PATH'],
    AWS_ENDPOINT_URL: url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_MAX_ATTEMPTS: '1',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  }
  return new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, [preflight, ...context], { env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    )
  })
}

test('an account in which everything is there passes', async () => {
  const { code, output } = await run(good)
  expect(output.split('\n').filter((line) => !line.startsWith('ok '))).toEqual([
    expect.stringMatching(/^(?:warning platform API versions|Not known before)/),
    '',
  ])
  expect(code).toBe(0)
})

test.each<[string, Account, Readonly<Record<string, string>>, string]>([
  [
    'a new account',
    { '/2016-08-19/account-settings': { body: { AccountLimit: { ConcurrentExecutions: 10 } } } },
    {},
    'warning  Lambda concurrency: 10 concurrent executions: raise the quota (L-B99A9384)',
  ],
  [
    'a reservation that the account does not have',
    good,
    { accountConcurrency: '5000' },
    'failed   Lambda concurrency: "accountConcurrency" is 5000, and the account has 2000',
  ],
  [
    'an account full of roles',
    { GetAccountSummary: { body: summary(900) } },
    {},
    'failed   IAM roles: 900 of 1000 are in',
  ],
  [
    'the bus of a stage that was destroyed',
    { ...good, 'AWSEvents.DescribeEventBus': { body: { Name: 'social-test-events' } } },
    {},
    'failed   Event bus: social-test-events is left of an earlier stage',
  ],
  [
    'a stage that is there in an account full of roles',
    { GetAccountSummary: { body: summary(900) }, GetRole: { body: '<GetRoleResponse/>' } },
    {},
    'ok       IAM roles: the stage is there',
  ],
  ['the sandbox', { '/v2/email/account': { body: {} } }, {}, 'warning  SES: in the sandbox'],
  [
    'an unverified sender',
    good,
    { mailFrom: 'post@example.org' },
    'failed   SES: neither post@example.org nor its domain is verified in eu-central-1',
  ],
  [
    'a certificate of another region',
    good,
    { certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/1' },
    'failed   Certificate: it is in us-east-1, and the API needs one in eu-central-1',
  ],
  [
    'a certificate for another host',
    good,
    { baseUrl: 'https://api.example.org' },
    'failed   Certificate: it is for *.example.com, not api.example.org',
  ],
])('says what is wrong with %s', async (_title, account, changes, line) => {
  const { code, output } = await run({ ...good, ...account }, changes)
  expect(output).toContain(line)
  expect(code).toBe(line.startsWith('failed') ? 1 : 0)
})

test('settings that a deployment would reject are rejected first, with the same sentence', async () => {
  expect(await run(good, { stage: 'muchtoolong' })).toEqual({
    code: 1,
    output: expect.stringMatching(/^"stage" is "muchtoolong"\. Set "stage" to a name of at most 10 /),
  })
})

test.each(endingPlatforms())('the end of the API of $name is reported 90 days in advance', (ending) => {
  const end = Date.parse(ending.endsOn)
  const outcomeAt = (days: number) => findingOf(ending, end - days * dayMs).outcome
  // A closed API does not block the deployment of the rest.
  const after = ending.api.closing === undefined ? 'failed' : 'warning'
  expect([outcomeAt(90), outcomeAt(89), outcomeAt(1), outcomeAt(0)]).toEqual(['ok', 'warning', 'warning', after])
  expect(readFileSync(join(root, 'infra/README.md'), 'utf8')).toContain(ending.endsOn)
})

test('an operator may know better when an API ends', () => {
  const known = endingPlatforms({ reddit: null, linkedin: '2028-01-01' })
  expect(known.map(({ name, endsOn }) => [name, endsOn])).toEqual([
    ['LinkedIn', '2028-01-01'],
    ['Instagram', '2028-07-29'],
    ['Facebook', '2028-07-29'],
  ])
})
