import { execFile } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../functions/client.ts'
import { useService } from './one-service.ts'
import { buildWithinMs } from './processes.ts'

const root = join(import.meta.dirname, '../..')
const guide = readFileSync(join(root, 'infra/README.md'), 'utf8')

const blocksOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`\`\`\`${language}(?: no-run)?\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, block = '']) => block,
  )

/** The commands of the guide, line by line. */
const commands = blocksOf(guide, 'sh').flatMap((block) => block.split('\n').filter((line) => line !== ''))

const local = useService()
/** A fresh checkout of the repository, without settings of this machine. */
let checkout: string

beforeAll(() => {
  checkout = mkdtempSync(join(tmpdir(), 'social-guide-'))
  for (const name of ['functions', 'shared', 'infra', 'test', 'package.json', 'package-lock.json', 'cdk.json']) {
    const filter = (path: string) => !path.includes('node_modules')
    cpSync(join(root, name), join(checkout, name), { recursive: true, filter })
  }
  rmSync(join(checkout, 'infra/deploy/stages'), { recursive: true, force: true })
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
}, buildWithinMs)
afterAll(() => {
  rmSync(checkout, { recursive: true, force: true })
})

/** Without credentials, as far as a command goes that way. */
const run = (command: string): Promise<{ code: number; output: string }> => {
  const own = Object.entries(process.env).filter(([name]) => !/^(AWS_|CDK_|TABLE_NAME|npm_)/.test(name))
  const env = {
    ...Object.fromEntries(own),
    HOME: checkout,
    AWS_EC2_METADATA_DISABLED: 'true',
    PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
  }
  return new Promise((resolve) => {
    execFile('sh', ['-c', command], { cwd: checkout, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : 1, output: stdout + stderr })
    })
  })
}

const noCredentials = 'Need to perform AWS calls for account 111122223333, but no credentials have been configured'

/** How each command is run here, and how far it must come. */
const rules: readonly (readonly [RegExp, (command: string) => Promise<void>])[] = [
  [
    /^npm run bootstrap -- aws:\/\/\d{12}\/[\w-]+$/,
    async (command) => {
      // Before any setting exists.
      expect(existsSync(join(checkout, 'infra/deploy/stages'))).toBe(false)
      expect(await run(command)).toEqual({ code: 1, output: expect.stringContaining(noCredentials) })
      expect(await run(`${command} --show-template`)).toEqual({
        code: 0,
        output: expect.stringContaining('StagingBucket'),
      })
    },
  ],
  [
    /^npm run deploy -- --context stage=prod$/,
    async (command) => {
      const [settings = ''] = blocksOf(guide, 'json')
      mkdirSync(join(checkout, 'infra/deploy/stages'))
      writeFileSync(join(checkout, 'infra/deploy/stages/prod.json'), settings)
      expect(await run(command)).toEqual({ code: 1, output: expect.stringContaining(noCredentials) })
      const templates = readdirSync(join(checkout, 'cdk.out')).filter((name) => name.endsWith('.template.json'))
      expect(templates.length).toBeGreaterThan(10)
      for (const name of templates) expect(name).toMatch(/^social-prod-/)
    },
  ],
  [
    /^SMOKE_TOKEN=svc_pat_… npm run smoke -- --base-url https:\/\/api\.example\.com$/,
    async (command) => {
      const own = command
        .replace('svc_pat_…', local.service.pat)
        .replace('https://api.example.com', local.service.baseUrl)
      expect(await run(own)).toEqual({ code: 0, output: expect.stringMatching(/ ok, 0 failed/) })
    },
  ],
  [
    /^npm run cost$/,
    async (command) => {
      const { code, output } = await run(`${command} -- --posts 2`)
      expect([code, output]).toEqual([0, expect.stringMatching(/^An idle month: \d+\.\d\d USD/m)])
    },
  ],
  [
    /^npm run operator -- set-plan ws_… /,
    async (command) => {
      const own = `${command.replace('ws_…', local.service.workspaceId)} --state ${local.folder}`
      expect(await run(own)).toEqual({
        code: 0,
        output: expect.stringContaining('is on the plan "team", with access.'),
      })
    },
  ],
  [
    /^npm run operator -- turn-off-two-factor \S+$/,
    async (command) => {
      const { output } = await run(`${command} --state ${local.folder}`)
      expect(output).toContain('This account has no second factor.')
    },
  ],
  [
    /^npm run operator -- create-vapid-keys --stage prod$/,
    async (command) => {
      const own = command.replace('--stage prod', `--state ${local.folder}`)
      expect(await run(own)).toEqual({
        code: 0,
        output: expect.stringMatching(/ Set "vapidPublicKey" to "[\w-]{87}" and/),
      })
    },
  ],
  [
    /^npm run operator -- (?:pause|pauses|resume|migrate)\b/,
    async (command) => expect(await run(`${command} --state ${local.folder}`)).toMatchObject({ code: 0 }),
  ],
  [
    /^npm run operator -- import-workspace ws_… export\.zip$/,
    async (command) => {
      const { baseUrl, sessionToken: token, workspaceId } = local.service
      const { drafts, socialAccounts, workspaces } = client({ baseUrl, token, workspaceId })
      const { length: accounts } = await socialAccounts.list()
      await drafts.create({ body: { content: 'Not yet' } })
      const { exportId } = await workspaces.export({ params: { id: workspaceId } })
      const params = { id: workspaceId, exportId }
      await expect
        .poll(async () => (await workspaces.getExport({ params })).status, { timeout: 60_000 })
        .toBe('completed')
      const { url } = await workspaces.createExportLink({ params })
      writeFileSync(join(checkout, 'export.zip'), Buffer.from(await (await fetch(url)).arrayBuffer()))
      const { id } = await workspaces.create({ body: { name: 'Imported', timezone: 'UTC' } })
      const own = `${command.replace('ws_…', id)} --state ${local.folder}`
      expect(await run(own)).toEqual({
        code: 0,
        output: expect.stringContaining(`Added: ${accounts} accounts, 0 media, 1 drafts, `),
      })
    },
  ],
]

test('the guide has commands, and the README has the same for a deployment', () => {
  expect(commands.length).toBeGreaterThanOrEqual(5)
  const deploy = blocksOf(readFileSync(join(root, 'README.md'), 'utf8'), 'sh').find((block) => block.includes('deploy'))
  expect(deploy?.trimEnd().split('\n')).toEqual(commands.slice(0, 2))
})

test.each(commands)('%s', async (command) => {
  const [, check] = rules.find(([form]) => form.test(command)) ?? []
  if (check === undefined) throw new Error('no rule says how this command of the guide is tried')
  await check(command)
}, 600_000)

test('every script that a document names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const documents = ['README.md', 'infra/README.md', 'shared/README.md', 'test/README.md']
  const named = documents.flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)].map(
      ([, name = '']) => `${path} ${name}`,
    ),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((command) => scripts[command.split(' ')[1] ?? ''] === undefined)).toEqual([])
})
