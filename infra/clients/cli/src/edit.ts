import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cli, isInteractive } from './cli.ts'
import { Usage } from './errors.ts'
import { readStdin, readTextFile } from './text.ts'

/** Opens a text in the person's editor, and returns it as saved. */
const editText = async ({ env }: Cli, text: string): Promise<string> => {
  const editor = env['VISUAL'] || env['EDITOR']
  if (!editor) throw new Usage('Set EDITOR to your editor, or give the text with --content or --file.')
  if (!isInteractive()) throw new Usage('There is no terminal to edit in. Give the text with --content or --file.')
  const folder = await mkdtemp(join(tmpdir(), 'social-'))
  const file = join(folder, 'text.md')
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600 })
    // EDITOR may have arguments, such as "code --wait"; the shell divides them.
    const child = spawn(`${editor} "${file}"`, { stdio: 'inherit', shell: true })
    const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
    if (code !== 0) throw new Usage(`The editor ended with ${code}. Nothing was changed.`)
    return (await readFile(file, 'utf8')).replace(/\r\n/g, '\n').replace(/\n+$/, '')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The new text of an edit: of an option, a file, stdin, or the editor. */
export const newText = async (
  cli: Cli,
  before: string,
  { content, file }: { content?: string; file?: string },
): Promise<string> => {
  if (content !== undefined && file !== undefined) throw new Usage('Give the text once: --content or --file.')
  if (content !== undefined) return content
  if (file !== undefined) return file === '-' ? readStdin(cli.out, 'the text') : readTextFile(file)
  return editText(cli, before)
}
