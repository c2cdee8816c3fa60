import { Argument, type Command } from 'commander'
import { openBrowser } from '../browser.ts'
import { type Cli, isInteractive } from '../cli.ts'
import { openSession, openWorkspace } from '../session.ts'

const pages = ['workspace', 'workspaces', 'docs', 'guides'] as const
type Page = (typeof pages)[number]

const addressOf = async (cli: Cli, page: Page): Promise<string> => {
  const { baseUrl, workspace } = openSession(cli)
  if (page === 'docs') return `${baseUrl}/api/docs`
  if (page === 'guides') return `${baseUrl}/api/docs/guides/quick-start`
  if (page === 'workspaces' || workspace === undefined) return `${baseUrl}/workspaces`
  return `${baseUrl}/workspace?id=${encodeURIComponent((await openWorkspace(cli)).workspaceId)}`
}

const open = async (cli: Cli, page: Page): Promise<void> => {
  const { out, env } = cli
  const url = await addressOf(cli, page)
  const isOpen = !out.json && isInteractive() && (await openBrowser(url, env))
  out.result({ url }, () => out.line(isOpen ? `Opened ${url}` : url))
}

export const addOpen = (program: Command, cli: Cli): void => {
  program
    .command('open')
    .summary('open a page of the service in the browser')
    .description('Opens a page of the service in the browser; prints its address without a terminal.')
    .addArgument(new Argument('[page]', 'what to open').choices(pages).default('workspace'))
    .addHelpText('after', '\nExamples:\n  social open\n  social open docs')
    .action((page: Page) => open(cli, page))
}
