import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { endpointNamed } from '../endpoints.ts'
import { PartlyFailed } from '../errors.ts'
import { wholeNumber } from '../options.ts'
import { plain } from '../output.ts'
import { openWorkspace } from '../session.ts'

const everyMs = 1_000

const trigger = async (cli: Cli, given: string, { timeout }: { timeout: number }): Promise<void> => {
  const { out, stopped: signal } = cli
  const { client } = await openWorkspace(cli)
  const id = await endpointNamed(client, given, signal)
  let delivery = await client.webhooks.sendTest(id, { signal })
  for (const endsAt = Date.now() + timeout * 1000; delivery.status === 'pending'; ) {
    if (Date.now() > endsAt) {
      throw new Error(`${delivery.id} is still pending. See later: social webhooks deliveries ${id}`)
    }
    await sleep(everyMs, undefined, { signal })
    delivery = await client.webhooks.getDelivery(id, delivery.id, { signal })
  }
  const { status, eventType, httpStatus, errorCode, durationMs, responseSnippet } = delivery
  out.result(delivery, () => {
    out.line(`${eventType}  ${status}  ${httpStatus ?? errorCode ?? ''}  ${durationMs ?? 0} ms`)
    if (responseSnippet) out.line(plain(responseSnippet))
  })
  if (status !== 'succeeded') throw new PartlyFailed('The endpoint did not accept the test event.')
}

export const addTrigger = (program: Command, cli: Cli): void => {
  program
    .command('trigger')
    .summary('send a test event to a webhook endpoint')
    .description(
      'Sends a test event to a webhook endpoint, signed as every event, and shows the\nresponse. Its type is the first one of the endpoint, and its data has "test".',
    )
    .argument('<endpoint>', 'its ID, name, or URL')
    .option('--timeout <seconds>', 'how long to wait for the response', wholeNumber(1, 600), 60)
    .addHelpText(
      'after',
      '\nExamples:\n  social trigger example.com\n  social trigger whe_01K9ZJ3V6Q8N5W2R7T4Y0X1C3B --json',
    )
    .action((given: string, options: { timeout: number }) => trigger(cli, given, options))
}
