import { Argument, type Command, type Option } from 'commander'
import type { Cli } from '../cli.ts'

/** What can follow a command, by its path, `/posts/list`, or an option of it, `/posts/list --status`. */
type Tree = Readonly<Record<string, readonly string[]>>

const visibleOptions = (command: Command) => command.createHelp().visibleOptions(command)

const nameOf = ({ long, short }: Option): string => long ?? short ?? ''

const nodesOf = (command: Command, path: string, shared: readonly Option[]): [string, readonly string[]][] => {
  const children = command.commands.filter((child) => child.name() !== 'help')
  const choices = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  // "social posts --status failed" is "social posts list --status failed".
  const standard = children.find((child) => child.name() === 'list')
  const options = [...visibleOptions(command), ...(standard ? visibleOptions(standard) : []), ...shared]
  const candidates = [...children.map((child) => child.name()), ...choices, ...options.map(nameOf)]
  const values = options.flatMap((option): [string, readonly string[]][] =>
    [option.long, option.short].flatMap((name) =>
      name && option.argChoices ? [[`${path} ${name}`, option.argChoices]] : [],
    ),
  )
  return [
    ...values,
    [path, [...new Set(candidates)]],
    ...children.flatMap((child) => nodesOf(child, `${path}/${child.name()}`, shared)),
  ]
}

/** The one table that every shell completes from. */
const treeOf = (program: Command): Tree => Object.fromEntries(nodesOf(program, '', visibleOptions(program)))

const isValues = (key: string) => key.includes(' ')

const lines = (tree: Tree, write: (key: string, candidates: readonly string[]) => string) =>
  Object.entries(tree)
    .map(([key, candidates]) => write(key, candidates))
    .join('\n')

/** A pattern of a key for the position and the word before, with a space between them. */
const patternOf = (key: string) => (isValues(key) ? `'${key}'` : `'${key} '*`)

const pathsOf = (tree: Tree) => Object.keys(tree).filter((key) => key !== '' && !isValues(key))

const bash = (tree: Tree) => `# social, completion for bash: eval "$(social completion bash)"
_social() {
  local place= word known=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$place/$word" in
      ${pathsOf(tree).join('|')}) place="$place/$word" ;;
    esac
  done
  case "$place \${COMP_WORDS[COMP_CWORD-1]}" in
${lines(tree, (key, candidates) => `    ${patternOf(key)}) known='${candidates.join(' ')}' ;;`)}
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
  case "$place \${words[CURRENT - 1]}" in
${lines(tree, (key, candidates) => `    ${patternOf(key)}) known=(${candidates.join(' ')}) ;;`)}
  esac
  compadd -- $known
  _files
}
compdef _social social
`

const fish = (tree: Tree) => `# social, completion for fish: social completion fish | source
function __social_words
  set -l place ''
  set -l before (commandline -opc)
  for word in $before[2..-1]
    switch "$place/$word"
      case ${pathsOf(tree).join(' ')}
        set place "$place/$word"
    end
  end
  switch "$place $before[-1]"
${lines(tree, (key, candidates) => `    case '${isValues(key) ? key : `${key} *`}'\n      printf '%s\\n' ${candidates.join(' ')}`)}
  end
end
complete -c social -a '(__social_words)'
`

const quoted = (candidates: readonly string[]) => candidates.map((word) => `'${word}'`).join(', ')

const powershell = (tree: Tree) => `# social, completion for PowerShell:
# social completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName social -ScriptBlock {
  param($word, $line, $cursor)
  $known = @{
${lines(tree, (key, candidates) => `    '${key}' = @(${quoted(candidates)})`)}
  }
  $place = ''
  $before = ''
  foreach ($element in ($line.CommandElements | Select-Object -Skip 1)) {
    if ($element.Extent.EndOffset -ge $cursor) { break }
    $before = $element.Extent.Text
    if ($known.ContainsKey("$place/$before")) { $place = "$place/$before" }
  }
  $words = $known["$place $before"]
  if ($null -eq $words) { $words = $known[$place] }
  $words | Where-Object { $_.StartsWith($word) } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
type Shell = (typeof shells)[number]

/** The script that completes commands and options in a shell. */
const completionScript = (program: Command, shell: Shell): string =>
  ({ bash, zsh, fish, powershell })[shell](treeOf(program))

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
  social completion fish > ~/.config/fish/completions/social.fish
  social completion powershell | Out-String | Invoke-Expression   in $PROFILE`,
    )
    .action((shell: Shell) => {
      const script = completionScript(program, shell)
      cli.out.result({ shell, script }, () => cli.out.line(script.trimEnd()))
    })
}
