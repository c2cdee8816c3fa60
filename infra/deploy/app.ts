import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { AwsSolutionsChecks } from 'cdk-nag'
import settings from '../../cdk.json' with { type: 'json' }
import { everyRoute, type Route } from '../../functions/routes.ts'
import { definitions } from '../../shared/platforms/definitions.ts'
import type { LayerName } from '../../shared/resources.ts'
import { accountId, region } from '../local/template/account.ts'
import { bundleFolder } from './bundle.ts'
import { layerFolder } from './layers/folder.ts'
import { readConfiguration } from './stacks/configuration.ts'
import { ConfigurationError } from './stacks/configuration-error.ts'
import { localBaseUrl, localStage } from './stacks/names.ts'
import { makeService } from './stacks/service.ts'

export interface AppOptions {
  /** Where the assembly is written; by default, the CDK decides. */
  outdir?: string
  /** Settings that override those of cdk.json. */
  context?: Readonly<Record<string, unknown>>
  /** The folder of bundles; without it no function has code, which is enough to read the templates. */
  bundles?: string
  /** The folder of the layers; without it they are empty, which is enough for a machine that has the libraries. */
  layers?: string
  /** The routes; all of them by default. */
  routes?: readonly Route[]
}

/** The settings of a machine that runs the service for itself. */
export const localContext = {
  stage: localStage,
  account: accountId,
  region,
  baseUrl: localBaseUrl,
  mailFrom: 'service@example.com',
  expoPush: 'on',
  eventBus: 'on',
  // Turns on Web Push; the key is made at the first start (infra/local/service/seed-secrets.ts).
  vapidPublicKey: 'A'.repeat(87),
  aiText: 'bedrock',
  aiSpeech: 'transcribe',
  // Prices of the stand-in (infra/local/stripe/seed.ts). `npm start` bills only with the option.
  stripePrices: { starter: 'price_localStarter', team: 'price_localTeam', business: 'price_localBusiness' },
}

const noCode = Code.fromInline('exports.handler = async () => { throw new Error("this function has no code") }')

// A layer must be a folder: any folder will do if it is not deployed.
const noLayer = () => Code.fromAsset(join(import.meta.dirname, 'layers'))

/** The whole service as a CDK app; `synth()` writes its templates. */
export const makeApp = ({ outdir, context, bundles, layers, routes = everyRoute }: AppOptions = {}): App => {
  const app = new App({
    ...(outdir === undefined ? {} : { outdir }),
    context: { ...settings.context, ...context },
    analyticsReporting: false,
  })
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app))
  const configuration = readConfiguration(app.node)
  const codeOf = (name: string) => (bundles === undefined ? noCode : Code.fromAsset(join(bundles, name)))
  const layerCodeOf = (name: LayerName) =>
    layers === undefined ? noLayer() : Code.fromAsset(layerFolder(name, layers))
  makeService(app, { configuration, routes, codeOf, layerCodeOf })
  return app
}

// The CDK CLI passes on its context; without it, this is a run for the local machine.
const isDeployment = process.env['CDK_CONTEXT_JSON'] !== undefined

/**
 * Enough concurrent batches that 800 posts of a platform can be due at one moment: a batch waits for the time of its posts,
 * then for their outcomes, and other posts wait behind it. A poller feeds ten batches.
 */
const localPollers = Object.fromEntries(
  definitions.map(({ id, publishBatch = 10 }) => {
    const minimum = Math.ceil(80 / publishBatch)
    return [`publish-${id}`, { minimum, maximum: 2 * minimum }]
  }),
)

/** For this machine, without code. */
export const localOptions: AppOptions = { context: { ...localContext, pollers: localPollers } }

const optionsOfRun = (): AppOptions => {
  if (isDeployment) return { bundles: bundleFolder, layers: bundleFolder }
  const bundles = existsSync(join(bundleFolder, 'metafile.json')) ? { bundles: bundleFolder } : {}
  return { ...localOptions, ...bundles }
}

if (import.meta.main) {
  try {
    makeApp(optionsOfRun()).synth()
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
