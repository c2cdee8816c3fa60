import { Argument, type Command } from 'commander'
import type { Cli } from '../cli.ts'

/** What can follow a command, by its path: `/posts/list`. */
type Tree = Readonly<Record<string, readonly string[]>>

const optionsOf = (command: Command) =>
  command
    .createHelp()
    .visibleOptions(command)
    .map(({ long, short }) => long ?? short ?? '')
    .filter(Boolean)

const nodesOf = (command: Command, path: string, everywhere: readonly string[]): [string, string[]][] => {
  const children = command.commands.filter((child) => child.name() !== 'help')
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const own = [...children.map((child) => child.name()), ...choices, ...optionsOf(command), ...everywhere]
  return [
    [path, [...new Set(own)]],
    ...children.flatMap((child) => nodesOf(child, `${path}/${child.name()}`, everywhere)),
  ]
}

const treeOf = (program: Command): Tree => Object.fromEntries(nodesOf(program, '', optionsOf(program)))

const cases = (tree: Tree, write: (path: string, words: readonly string[]) => string) =>
  Object.entries(tree)
    .map(([path, words]) => write(path, words))
    .join('\n')

const pathsOf = (tree: Tree) => Object.keys(tree).filter((path) => path !== '')

const bash = (tree: Tree) => `# social, completion for bash: eval "$(social completion bash)"
_social() {
  local place= word known=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place/$word" in
      ${pathsOf(tree).join('|')}) place="$place/$word" ;;
    esac
  done
  case "$place" in
${cases(tree, (path, words) => `    '${path}') known='${words.join(' ')}' ;;`)}
  esac
  COMPREPLY=($(compgen -W "$known" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _social social
`

const zsh = (tree: Tree) => `#compdef social
# social, completion for zsh: eval "$(social completion zsh)"
_social() {
  local place= word
  local -a known
  for word in "\${words[@]:1:$((CURRENT - 2))}"; do
    case "$place/$word" in
      ${pathsOf(tree).join('|')}) place="$place/$word" ;;
    esac
  done
  case "$place" in
${cases(tree, (path, words) => `    '${path}') known=(${words.join(' ')}) ;;`)}
  esac
  compadd -- $known
  _files
}
compdef _social social
`

const fish = (tree: Tree) => `# social, completion for fish: social completion fish | source
function __social_words
  set -l place ''
  for word in (commandline -opc)[2..-1]
    switch "$place/$word"
      case ${pathsOf(tree).join(' ')}
        set place "$place/$word"
    end
  end
  switch "$place"
${cases(tree, (path, words) => `    case '${path}'\n      printf '%s\\n' ${words.join(' ')}`)}
  end
end
complete -c social -a '(__social_words)'
`

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

/** The script that completes commands and options in a shell. */
const completionScript = (program: Command, shell: Shell): string => ({ bash, zsh, fish })[shell](treeOf(program))

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
