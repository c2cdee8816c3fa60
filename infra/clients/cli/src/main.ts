import { CommanderError } from 'commander'
import { errorDocument, errorLines, exitCodeOf, exitCodes, PartlyFailed } from './errors.ts'
import { makeProgram } from './program.ts'
import { printUpdateNotice } from './update.ts'

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // A person who presses Ctrl-C twice does not want to wait.
    if (stopping.signal.aborted) process.exit(exitCodes.interrupted)
    stopping.abort()
  })
}

// A reader that has seen enough, such as "head".
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

const { program, cli } = makeProgram(process.env, stopping.signal)

const run = async (args: readonly string[]): Promise<number> => {
  const { out, stopped } = cli
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], { from: 'user' })
    return stopped.aborted ? exitCodes.interrupted : exitCodes.done
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done
    const code = exitCodeOf(error, stopped.aborted)
    if (code === exitCodes.interrupted) return code
    const [first = '', ...more] = errorLines(error)
    // A command that failed in part has printed its result.
    if (args.includes('--json') && !(error instanceof PartlyFailed)) {
      out.line(JSON.stringify({ error: errorDocument(error), exitCode: code }, undefined, 2))
    } else {
      for (const line of [first, ...more]) out.note(line)
    }
    return code
  }
}

const code = await run(process.argv.slice(2))
if (code === exitCodes.done) await printUpdateNotice(cli)
// Keep-alive connections must not keep a finished command running.
process.stdout.write('', () => process.exit(code))
