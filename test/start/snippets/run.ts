import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../processes.ts'
import { type Block, blocksOf } from './blocks.ts'
import type { Call, Shell } from './shell.ts'

const commandWithinMs = 90_000
// The first program in Go compiles the packages of its standard library, too: minutes when other tests run.
const compiledWithinMs = 400_000
const outputWithinMs = 60_000

const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** The blocks that cannot be run here, by their first line, and why. */
export const notRun: Readonly<Record<string, string>> = {
  'cp infra/deploy/stages/example.json infra/deploy/stages/prod.json': 'needs an AWS account, as in README.md',
  'npm run bootstrap -- aws://111122223333/us-east-1': 'needs an AWS account; guide.long.ts runs it as far as it goes',
  'npm test                 # what the service does': 'these are the tests themselves',
  "import { EventBus, Rule } from 'aws-cdk-lib/aws-events'": 'part of a stack; bus-example.test.ts synthesizes it',
  "import { createClient } from 'social-publishing-client'": 'test/client installs the client and runs its examples',
  'npm run listen -- 4000': 'runs until Ctrl-C; listen.test.ts runs it',
  'OWNER=you@example.com npm run serve': 'publishes on real platforms; serve.test.ts and judges/bluesky run it',
  'SITE_ADDRESS=social.example.com caddy run --config infra/local/packaging/Caddyfile':
    'needs a public name; serve.test.ts runs the file with Caddy',
  'OWNER=you@example.com BASE_URL=https://social.example.com npm run serve': 'needs a public name, as above',
  'docker compose -f infra/local/packaging/compose.yaml exec social node /opt/social/operator.cjs pauses':
    'needs a container; serve.test.ts and backup.test.ts run the parts',
  'npm run operator -- backup /mnt/backups --keep 7': 'needs the state of serve; backup.test.ts runs the commands',
  'node assistant.mjs': 'waits for a person in a browser; started.walk.ts runs it',
  'aws events put-rule --event-bus-name social-prod-events --name published-posts --event-pattern file://pattern.json':
    'needs an AWS account',
  "const { vapidPublicKey } = (await get('/api/notifications/status')).data": 'runs in the page of a browser',
  'curl -s -X DELETE "$BASE/api/auth/user" -H "Authorization: Bearer $SESSION" -H "Content-Type: application/json" \\':
    'deletes the account of all examples',
  '- uses: ./.github/actions/post-on-release':
    'a step of a workflow; test/judges/github-action/post-on-release.judge.ts runs such steps',
}

const assertAnswered = ({ at, flags }: Block, baseUrl: string, calls: readonly Call[]): void => {
  for (const { args, status, body } of calls.filter((call) => call.args.includes(baseUrl))) {
    const isError = status >= 400 || status === 0 || body.startsWith('{"success":false')
    const isExpected = flags.includes('expect-error')
    if (isError !== isExpected) throw new Error(`${at}: curl ${args}\nanswered ${status}: ${body}`)
  }
}

const quoted = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Expected output, where `…` stands for anything within a line. */
const patternOf = (code: string): RegExp => {
  const lines = code.trimEnd().split('\n').filter(Boolean)
  return new RegExp(lines.map((line) => line.split('…').map(quoted).join('.*')).join('[^]*'))
}

/** A file in Go is a package with a main function; what a guide shows is a part of it. */
const inGo = (code: string) => (code.includes('package main') ? code : `package main\n\n${code}\nfunc main() {}\n`)

interface Program {
  command: string
  file: string
  withinMs?: number
  wrap?(code: string): string
}

const programs: Readonly<Record<string, Program>> = {
  js: { command: 'node', file: 'block.mjs' },
  ts: { command: 'node', file: 'block.ts' },
  python: { command: 'python3', file: 'block.py' },
  go: { command: 'go run', file: 'block.go', withinMs: compiledWithinMs, wrap: inGo },
}

const runProgram = async (shell: Shell, { at, language, code }: Block): Promise<void> => {
  const program = programs[language]
  if (program === undefined) throw new Error(`${at}: nothing runs the language "${language}"`)
  const { command, file, withinMs = commandWithinMs, wrap = (text: string) => text } = program
  // The languages that npm cannot bring; .ci/run installs them.
  if (!has(command.split(' ')[0] ?? '')) return
  writeFileSync(join(shell.folder, file), wrap(code))
  await shell.run(`${command} ${file}\n`, withinMs)
}

/** Does with a block what a reader does: pastes commands, saves a named file, runs a program, compares the output. */
const runBlock = async (shell: Shell, baseUrl: string, block: Block): Promise<void> => {
  const { at, language, flags, code } = block
  const file = flags.find((word) => /^(?:[\w-]+\/)?[\w-]+\.\w+$/.test(word))
  if (flags.includes('no-run')) return
  if (file !== undefined) return writeFileSync(join(shell.folder, file), code)
  if (language === 'json') return void JSON.parse(code)
  if (language === 'text') {
    const pattern = patternOf(code)
    await until(`${at}: the output`, () => (pattern.test(shell.output()) ? true : undefined), outputWithinMs).catch(
      () => {
        throw new Error(`${at}: expected\n${code}\ngot\n${shell.output()}`)
      },
    )
    return
  }
  if (language !== 'sh') return runProgram(shell, block)
  // The service of this test is what it starts.
  if (code === 'npm start\n') return
  const { calls } = await shell.run(code, commandWithinMs)
  assertAnswered(block, baseUrl, calls)
}

/** Runs the blocks of a document, in order. */
export const runDocument = async (shell: Shell, baseUrl: string, path: string): Promise<void> => {
  // The README says it; every guide needs it.
  if (path !== 'README.md') await shell.run('eval "$(npm run -s env)"', 30_000)
  for (const block of blocksOf(path)) {
    await runBlock(shell, baseUrl, block).catch((error: unknown) => {
      throw new Error(`${block.at}: ${error instanceof Error ? error.message : error}`)
    })
  }
}
