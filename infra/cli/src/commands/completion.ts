import { Argument, type Command } from 'commander'
import type { Cli } from '../cli.ts'
import { completionScript, type Shell, shells } from '../completion.ts'

export const addCompletion = (program: Command, cli: Cli): void => {
  program
    .command('completion')
    .summary('print the completion script of a shell')
    .description('Prints the script that completes commands and options in your shell.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .addHelpText(
      'after',
      `
Examples:
  eval "$(social completion bash)"                                in ~/.bashrc
  eval "$(social completion zsh)"                                 in ~/.zshrc
  social completion fish > ~/.config/fish/completions/social.fish`,
    )
    .action((shell: Shell) => {
      const script = completionScript(program, shell)
      cli.out.result({ shell, script }, () => cli.out.line(script.trimEnd()))
    })
}
