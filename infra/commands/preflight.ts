import { parseArgs } from 'node:util'
import { App } from 'aws-cdk-lib'
import { preflight } from '../deploy/preflight/checks.ts'
import { readConfiguration } from '../deploy/stacks/configuration.ts'
import { ConfigurationError } from '../deploy/stacks/configuration-error.ts'

/** The settings of the command line, as the CLI of the CDK reads them. */
const contextOf = (args: readonly string[]): Record<string, string> => {
  const { values } = parseArgs({
    args: [...args],
    options: { context: { type: 'string', short: 'c', multiple: true } },
  })
  return Object.fromEntries((values.context ?? []).map((text) => text.split(/=(.*)/s).slice(0, 2)))
}

try {
  const { node } = new App({ context: contextOf(process.argv.slice(2)), analyticsReporting: false })
  const isOk = await preflight(readConfiguration(node), (name, { outcome, text }) =>
    process.stdout.write(`${outcome.padEnd(8)} ${name}: ${text}\n`),
  )
  process.stdout.write(
    'Not known before: whether CloudFront takes a new account, which AWS decides on the first one.\n',
  )
  process.exitCode = isOk ? 0 : 1
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
