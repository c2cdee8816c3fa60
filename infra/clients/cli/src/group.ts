import type { Command } from 'commander'
import { Usage } from './errors.ts'

/** A command with subcommands, such as `social accounts`. */
export const addGroup = (program: Command, name: string, summary: string, examples: readonly string[]): Command =>
  program
    .command(name)
    .summary(summary)
    .description(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`)
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`)

/** The command `list` of a group, which also runs if none is named. */
export const addList = (group: Command, description: string): Command => {
  const list = group.command('list', { isDefault: true }).description(description).allowExcessArguments()
  return list.hook('preAction', () => {
    const [unknown] = list.args
    if (unknown === undefined) return
    const known = group.commands.map((command) => command.name()).join(', ')
    throw new Usage(`"${unknown}" is not a command of "social ${group.name()}". Its commands are ${known}.`)
  })
}
