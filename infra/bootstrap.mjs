// The way in on a fresh clone: runs on the machine's own Node without any package, brings what is missing and hands
// over to the pinned Node. It is plain JavaScript because the machine's Node may not know how to strip types.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const vitest = 'node_modules/vitest/vitest.mjs'
const pds = 'test/bluesky-pds'
const nostrRelay = 'test/nostr-relay'
const wordpressSite = 'test/wordpress-site'
const clientRuntimes = 'test/client'
const officialClients = 'test/official-clients'
const githubAction = 'infra/github-action'

/** The tests of a folder with a configuration of its own. */
const suite = (folder, packages = ['.']) => ({
  packages,
  script: [vitest, 'run', '--config', `${folder}/vitest.config.ts`, '--root', '.'],
  stdio: 'inherit',
})

/** The tests of a folder with packages of its own, which sets its own root. */
const apart = (folder, packages = ['.', folder]) => ({
  packages,
  script: [vitest, 'run', '--config', `${folder}/vitest.config.ts`],
  stdio: 'inherit',
})

/** What each command needs and runs. Only `start` knows what to do with a channel to its parent. */
const commands = {
  start: {
    packages: ['.'],
    script: ['infra/local/start.ts'],
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  },
  test: { packages: ['.'], script: [vitest, 'run', '--project', 'service'], stdio: 'inherit' },
  'test:faults': { packages: ['.'], script: [vitest, 'run', '--project', 'faults'], stdio: 'inherit' },
  'test:local': {
    packages: ['.'],
    script: [vitest, 'run', '--project', 'local', '--project', 'apart'],
    stdio: 'inherit',
  },
  'test:long': {
    packages: ['.'],
    script: [vitest, 'run', '--config', 'vitest.long.config.ts'],
    stdio: 'inherit',
  },
  'test:dynamodb-local': {
    packages: ['.'],
    script: [vitest, 'run', '--config', 'vitest.dynamodb-local.config.ts'],
    stdio: 'inherit',
  },
  'test:browser': suite('test/browser'),
  'test:receivers': suite('test/receivers'),
  'test:templates': suite('test/templates'),
  'test:contract': suite('test/contract'),
  'test:emulator': suite('test/emulator'),
  'test:client': suite(clientRuntimes, ['.', clientRuntimes]),
  'test:official-clients': apart(officialClients),
  'test:bluesky': apart(pds),
  'test:nostr': apart(nostrRelay),
  'test:wordpress': apart(wordpressSite),
  'build:github-action': { packages: ['.', githubAction], script: ['infra/github-action.ts'], stdio: 'inherit' },
  'test:n8n': apart('test/n8n'),
  'test:github-action': apart('test/github-action', ['.', githubAction, 'test/github-action']),
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

/** npm writes its own lockfile last: without it, or with an older one, an install is due. */
const isInstalled = (folder) => {
  const installed = join(folder, 'node_modules/.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
}

const install = (folder) => {
  const startedAt = Date.now()
  process.stdout.write('Installing packages … ')
  // NODE_ENV=production would leave out what runs and tests the service.
  const { status, error, stdout, stderr } = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  if (status === 0) return process.stdout.write(`${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`)
  process.stdout.write('failed\n')
  refuse(`${stdout ?? ''}${stderr ?? error}\nThe packages could not be installed: see above, then try "npm ci".`)
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
const command = commands[name]
if (command === undefined) refuse(`Usage: node infra/bootstrap.mjs ${Object.keys(commands).join('|')} [arguments]`)
checkNode()
for (const folder of command.packages.map((path) => join(root, path))) if (!isInstalled(folder)) install(folder)
run(command, args)
