import { parseArgs } from 'node:util'
import { assumptions } from '../../infra/deploy/cost/assumptions.ts'
import { idleLines } from '../../infra/deploy/cost/idle.ts'
import { type Line, priceList, prices, sumOf } from '../../infra/deploy/cost/prices.ts'
import { tableOf } from '../../infra/deploy/cost/report.ts'
import { durationMsOf, type Measured, usageLines } from '../../infra/deploy/cost/usage.ts'
import { aiPrices } from '../../infra/deploy/stacks/ai.ts'
import type { MetricName } from '../../shared/context.ts'
import { formFieldsOf } from '../../shared/platforms/definitions.ts'
import { platformIds } from '../../shared/resources.ts'
import { measure } from '../cost/measure.ts'
import { readResources } from '../cost/templates.ts'

// `npm run cost`: the price of an idle month and of a million text posts, from the templates and a run on this machine.

const { values } = parseArgs({ options: { posts: { type: 'string', default: '20' } } })
const count = Number(values.posts)
if (!Number.isInteger(count) || count < 1 || count > 1000) {
  process.stderr.write('--posts is how many posts to measure: a whole number from 1 to 1000.\n')
  process.exit(2)
}

const usd = (lines: readonly Line[]) => sumOf(lines).toFixed(2)
/** A text has one call of the model: about 800 tokens of prompt and 200 of answer. */
const textTokens = { input: 800, output: 200 }

const aiLines = (): string[] => {
  const inUsd = (microUsd: number) => `${(microUsd / 1_000_000).toFixed(2)} USD`
  const { text, minute } = aiPrices
  const texts = Object.values(text).map(({ model, input, output }) => {
    const each = (textTokens.input * input + textTokens.output * output) / 1000
    return `- ${model}: ${inUsd(each * 1_000_000)} for a million texts of ${textTokens.input} tokens in and ${textTokens.output} out.`
  })
  return [
    ...texts,
    ...Object.entries(minute).map(([name, price]) => `- Speech by ${name}: ${inUsd(price * 1000)} for 1,000 minutes.`),
  ]
}

/** What the bytes of a million posts cost, by the size of the file that each has, in megabytes. */
const fileLines = (): string[] =>
  Object.entries({ 'an image': 1, 'a video': 30 }).map(([what, megabytes]) => {
    const gigabytes = megabytes * 1000
    const [out, stored] = [prices.egressGigabyte, prices.storageGigabyteMonth].map(({ usd }) =>
      Math.round(usd * gigabytes),
    )
    return `- A million posts with ${what} of ${megabytes} MB: ${out?.toLocaleString('en-US')} USD, and ${stored?.toLocaleString('en-US')} USD a month.`
  })

const isFirewall = ({ service }: Line) => service === 'WAF'

const durations = ({ invocations, posts }: Measured): string => {
  const rows = [...Map.groupBy(invocations, ({ functionName }) => functionName)].map(([name, own]) => {
    const mean = (of: (sample: (typeof own)[number]) => number) =>
      own.reduce((sum, sample) => sum + of(sample), 0) / own.length
    const cells = [own.length / posts, mean(({ memoryMb }) => memoryMb), mean(({ cpuMs }) => cpuMs)]
    const all = [...cells, mean(({ waitMs }) => waitMs), mean(durationMsOf)].map((cell) => Number(cell.toFixed(1)))
    return `| ${name} | ${all.join(' | ')} |`
  })
  const head = '| Function | Invocations per post | Memory in MB | CPU in ms | Wait in ms | Billed in ms |'
  return [head, '| --- | ---: | ---: | ---: | ---: | ---: |', ...rows].join('\n')
}

const { single, together, readUnitsPerSweep } = await measure({ single: count, together: count })
const idle = idleLines(await readResources(), readUnitsPerSweep)
const withoutFirewall = idle.filter((line) => !isFirewall(line))
const [alone, batched] = [single, together].map((usage) => usageLines(usage, { withFirewall: false }))
const secret = prices.secretMonth.usd
const metric = prices.customMetricMonth.usd
/** Of posts and deliveries. The others have a value only while something is wrong. */
const usualMetrics: readonly MetricName[] = ['PublishLatenessMs', 'PostsPublished', 'PostsFailed', 'DeliveryLatencyMs']
/** How late the posts of a platform are, and how many are published. */
const platformMetrics = 2 * platformIds.length

/** The platforms with an app of the operator: accounts of the others are connected by a form, or at servers. */
const withApp = platformIds.filter((id) => formFieldsOf(id).length === 0)

process.stdout.write(`Prices of ${priceList.region}, read ${priceList.read}, without free tiers (infra/deploy/cost/prices.ts).

An idle month: ${usd(withoutFirewall)} USD without the firewall, ${usd(idle)} USD with it.
Each platform app adds ${secret.toFixed(2)} USD for its secret, all ${withApp.length} of them ${(withApp.length * secret).toFixed(2)} USD.
A month in which posts are published adds ${(usualMetrics.length * metric).toFixed(2)} USD for ${usualMetrics.length} custom metrics. With \`platformMetrics\`, ${platformIds.length} platforms add ${(platformMetrics * metric).toFixed(2)} USD,
and each reason for which posts of a platform failed ${metric.toFixed(2)} USD.
The dashboard is one of the three that are free in an account. The key adds 1 USD after each of its first two rotations.

${tableOf(idle)}

A million posts of 100 characters, each with one webhook endpoint and two events: ${usd(alone ?? [])} USD if each is due by itself,
${usd(batched ?? [])} USD if ten at a time are due together. The firewall adds ${prices.firewallRequest.usd.toFixed(2)} USD.
Not included: what platforms charge, and files. Each gigabyte of a file that goes to a platform or is fetched by one costs ${prices.egressGigabyte.usd} USD, and
${prices.storageGigabyteMonth.usd} USD for each month in the library:
${fileLines().join('\n')}

AI is off by default and costs what its provider charges, with the defaults of infra/deploy/stacks/ai.ts:
${aiLines().join('\n')}

Each by itself, a minute after the other:

${tableOf(alone ?? [])}

In batches of ten:

${tableOf(batched ?? [])}

Measured by itself (${count} posts): ${single.writeUnits / single.posts} write units and ${single.readUnits / single.posts} read units a post.
CPU is that of the local process on this machine, engines included, so it is more than Lambda bills.
In a batch, calls for different posts count as one after the other where they happened to be.

${durations(single)}

Measured in batches of ten (${together.posts} posts): ${(together.writeUnits / together.posts).toFixed(1)} write units a post.

${durations(together)}

Assumed (infra/deploy/cost/assumptions.ts): ${JSON.stringify(assumptions)}
`)
