// The entry point on a fresh clone: runs on the machine's Node without any package, installs what is missing, and hands over
// to the pinned Node. It is plain JavaScript because the machine's Node may not support type stripping.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

const githubAction = 'infra/clients/github-action'

/** The tests of some projects of vitest.config.ts, or of those that the arguments name. */
const tests = (...projects) => ({
  packages: ['.'],
  script: ['node_modules/vitest/vitest.mjs', 'run'],
  defaults: (args) =>
    args.some((arg) => arg.startsWith('--project')) ? [] : projects.map((name) => `--project=${name}`),
  stdio: 'inherit',
})

/** The tests of one judge, with the packages that its folder brings. */
const judge = (name = '') => {
  const folder = `test/judges/${name}`
  if (name === '' || (name !== 'dynamodb-local' && !existsSync(join(root, folder)))) {
    const judges = ['dynamodb-local', ...readdirSync(join(root, 'test/judges'))]
    refuse(`Usage: npm run test:judge -- ${judges.join('|')} [arguments]`)
  }
  const needed = name === 'github-action' ? ['.', githubAction, folder] : ['.', folder]
  const command = tests(`${name}*`)
  return {
    ...command,
    packages: needed.filter((path) => existsSync(join(root, path, 'package.json'))),
    // A judge prints its counts.
    script: [...command.script, '--silent=false'],
  }
}

/** What each command needs and runs. Only `start` can use a channel to its parent. */
const commands = {
  start: {
    packages: ['.'],
    script: ['infra/local/start.ts'],
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  },
  // It runs for months: new objects get 48 MB, as in its threads (infra/local/service/functions.ts).
  serve: { packages: ['.'], script: ['--max-semi-space-size=16', 'infra/local/serve.ts'], stdio: 'inherit' },
  test: tests('behavior'),
  'test:laws': tests('laws'),
  'test:faults': tests('faults'),
  'test:local': tests('local', 'local-apart'),
  'test:long': tests('long', 'long-apart'),
  'test:browser': tests('pages', 'console', 'measured'),
  'test:judge': judge,
  'build:github-action': {
    packages: ['.', githubAction],
    script: ['infra/commands/github-action.ts'],
    stdio: 'inherit',
  },
}

const oldestNode = [20, 19]

const refuse = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

const checkNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1])) return
  refuse(
    `Node ${process.versions.node} is too old: Node ${oldestNode.join('.')} or newer is needed (https://nodejs.org).`,
  )
}

/**
 * The judges and the GitHub Action name exact versions and have no lockfile. Their own dependencies are
 * resolved as of this day, so that they do not drift. Whoever changes a version there moves the day.
 */
const packagesAsOf = '2026-11-29'

const hasLockfile = (folder) => existsSync(join(folder, 'package-lock.json'))

/** npm writes `.package-lock.json` last: without it, or with one older than the list of packages, an install is due. */
const isInstalled = (folder) => {
  const installed = join(folder, 'node_modules/.package-lock.json')
  const named = join(folder, hasLockfile(folder) ? 'package-lock.json' : 'package.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(named).mtimeMs
}

const install = (folder) => {
  const startedAt = Date.now()
  process.stdout.write('Installing packages … ')
  const asOf = ['install', '--no-save', '--no-package-lock', `--before=${packagesAsOf}`]
  const command = hasLockfile(folder) ? ['ci'] : asOf
  // As `npm ci` does: `npm install` keeps what is there.
  if (command === asOf) rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  // NODE_ENV=production would leave out what runs and tests the service.
  const { status, error, stdout, stderr } = spawnSync('npm', [...command, '--include=dev', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return process.stdout.write(`${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`)
  process.stdout.write('failed\n')
  refuse(`${stdout ?? ''}${stderr ?? error}\nThe packages could not be installed: see above, then try again.`)
}

const pinnedNode = () => {
  const places = ['node/bin/node', '.bin/node'].map((path) => join(root, 'node_modules', path))
  return (
    places.find((place) => existsSync(place)) ?? refuse('The pinned Node is not there: run "npm ci" with scripts on.')
  )
}

const run = ({ script, stdio }, args) => {
  const child = spawn(pinnedNode(), [...script, ...args], { cwd: root, stdio })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  // A parent that was killed cannot say so; its orphan gets another one.
  const parent = process.ppid
  setInterval(() => process.ppid === parent || child.kill('SIGTERM'), 500).unref()
  child.on('error', (error) => refuse(`The pinned Node does not run: ${error.message}`))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

const [name, ...args] = process.argv.slice(2)
const known = commands[name]
if (known === undefined)
  refuse(`Usage: node infra/commands/bootstrap.mjs ${Object.keys(commands).join('|')} [arguments]`)
checkNode()
const command = typeof known === 'function' ? known(args.shift()) : known
for (const folder of command.packages.map((path) => join(root, path))) if (!isInstalled(folder)) install(folder)
run(command, [...(command.defaults?.(args) ?? []), ...args])
