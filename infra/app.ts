import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { App, Validations } from 'aws-cdk-lib'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { AwsSolutionsChecks } from 'cdk-nag'
import settings from '../cdk.json' with { type: 'json' }
import type { LayerName } from '../shared/resources.ts'
import { bundleFolder } from './bundle.ts'
import { layerFolder } from './layers/folder.ts'
import { makeService } from './stacks/app.ts'
import { readConfiguration } from './stacks/configuration.ts'
import { makeData } from './stacks/data.ts'
import { makeOps } from './stacks/ops.ts'

export interface AppOptions {
  /** Where the assembly is written; without it, where the CDK says. */
  outdir?: string
  /** Settings that go before those of cdk.json. */
  context?: Readonly<Record<string, unknown>>
  /** The folder of bundles; without it no function has code, which is enough to read the templates. */
  bundles?: string
  /** The folder that layers lie in; without it they are empty, which is enough for a machine that has the libraries itself. */
  layers?: string
}

/** The settings of a machine that runs the service for itself. */
export const localContext = { baseUrl: 'http://127.0.0.1:3000', mailFrom: 'service@example.com' }

const noCode = Code.fromInline('exports.handler = async () => { throw new Error("this function has no code") }')

// A layer must be a folder: any will do where it is not deployed.
const noLayer = () => Code.fromAsset(join(import.meta.dirname, 'layers'))

/** The whole service as a CDK app; `synth()` writes its templates. */
export const makeApp = ({ outdir, context, bundles, layers }: AppOptions = {}): App => {
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
  makeService(app, { data: makeData(app, configuration), configuration, codeOf, layerCodeOf })
  makeOps(app, { configuration })
  return app
}

// The CDK's command hands over the context of cdk.json; without it this is a run for the local machine.
const isDeployment = process.env['CDK_CONTEXT_JSON'] !== undefined

if (import.meta.main && isDeployment) {
  makeApp({ bundles: bundleFolder, layers: bundleFolder }).synth()
} else if (import.meta.main) {
  makeApp({
    context: localContext,
    ...(existsSync(join(bundleFolder, 'metafile.json')) ? { bundles: bundleFolder } : {}),
  }).synth()
}
