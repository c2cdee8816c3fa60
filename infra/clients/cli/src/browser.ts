import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

const openers = (env: Environment): [string, string[]] => {
  if (env['BROWSER']) return [env['BROWSER'], []]
  if (process.platform === 'darwin') return ['open', []]
  // Without a shell, which would read "&" in the address.
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler']]
  return ['xdg-open', []]
}

/** An opener that still runs after this time is the browser itself. */
const browserRunsAfterMs = 2_000

/**
 * Opens an address of the service in the browser of the person; returns false if there is none, which the exit code of
 * xdg-open shows.
 */
export const openBrowser = (address: string, env: Environment): Promise<boolean> => {
  if (!/^https?:/.test(address)) return Promise.resolve(false)
  const [command, args] = openers(env)
  return new Promise((resolve) => {
    const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
    child.once('spawn', () => {
      const timer = setTimeout(() => resolve(true), browserRunsAfterMs)
      child.once('exit', () => clearTimeout(timer))
      child.unref()
    })
  })
}
