import { Command } from 'commander'
import { version } from '../../../../shared/version.ts'
import type { Cli, Globals } from './cli.ts'
import { addAccounts } from './commands/accounts.ts'
import { addApi } from './commands/api.ts'
import { addBulk } from './commands/bulk.ts'
import { addCompletion } from './commands/completion.ts'
import { addDrafts } from './commands/drafts.ts'
import { addLogin } from './commands/login.ts'
import { addLogout } from './commands/logout.ts'
import { addLogs } from './commands/logs.ts'
import { addMedia } from './commands/media.ts'
import { addOpen } from './commands/open.ts'
import { addPost } from './commands/post.ts'
import { addPosts } from './commands/posts.ts'
import { addTrigger } from './commands/trigger.ts'
import { addWebhooks } from './commands/webhooks.ts'
import { addWhoami } from './commands/whoami.ts'
import { addWorkspaces } from './commands/workspaces.ts'
import { Usage } from './errors.ts'
import { checkFilter } from './jq.ts'
import { hasColor, makeOutput } from './output.ts'

const commands = [
  addLogin,
  addLogout,
  addWhoami,
  addWorkspaces,
  addAccounts,
  addPost,
  addPosts,
  addBulk,
  addDrafts,
  addMedia,
  addWebhooks,
  addTrigger,
  addLogs,
  addApi,
  addOpen,
  addCompletion,
]

/** A sentence of the parser in one line, with the way to the help. */
const usageOf = (message: string, command: Command): Usage => {
  const path: string[] = []
  for (let at: Command | null = command; at !== null; at = at.parent) path.unshift(at.name())
  const sentence = message
    .replace(/^error: /, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim()
    .replace(/([^.)?])$/, '$1.')
  const isText = message.includes('too many arguments') && /^(?:post|create)$/.test(command.name())
  const quote = isText ? ' Put the text in quotes.' : ''
  return new Usage(`${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}${quote} See "${path.join(' ')} --help".`)
}

const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)]

/** All commands, with their shared options. */
export const makeProgram = (env: Cli['env'], stopped: AbortSignal) => {
  const program = new Command('social')
  const globals = () => program.opts<Globals>()
  const jq = () => globals().jq
  const isJson = () => globals().json === true || jq() !== undefined
  const out = makeOutput({ json: isJson, jq, color: () => globals().color }, env)
  const cli: Cli = { env, globals, out, stopped }
  const isBold = hasColor(process.stdout, env, !process.argv.includes('--no-color'))
  program
    .description('Schedule and publish social media posts from the terminal.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .option('--json', 'print JSON, and nothing else, on stdout')
    .option('--jq <filter>', 'print what jq makes of the JSON')
    .option('--profile <name>', 'which sign-in to use (SOCIAL_PROFILE)')
    .option('-w, --workspace <name>', 'which workspace to work in (SOCIAL_WORKSPACE)')
    .option('--no-color', 'print no colors (NO_COLOR)')
    .configureOutput({
      outputError: () => {},
      writeErr: () => {},
      getOutHasColors: () => isBold,
      getOutHelpWidth: () => Math.min(process.stdout.columns || 80, 100),
    })
    .configureHelp({ styleTitle: (title) => out.paint('bold', title) })
    .addHelpText(
      'after',
      '\nStart with: social login https://api.example.com\n"social <command> --help" has options and examples.\nJSON for programs: social posts --jq ".[].id"',
    )
    .hook('preAction', () => {
      const filter = jq()
      if (filter !== undefined) checkFilter(filter)
    })
  for (const add of commands) add(program, cli)
  for (const command of everyCommand(program)) {
    command.helpOption('-h, --help', 'show help').helpCommand(false)
    command.exitOverride((error) => {
      // Help and version have been printed.
      if (error.exitCode === 0) throw error
      throw usageOf(error.code === 'commander.help' ? 'Name a command.' : error.message, command)
    })
  }
  return { program, cli }
}
