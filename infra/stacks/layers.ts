import { Architecture, type Code, type ILayerVersion, LayerVersion, Runtime } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import type { LayerName } from '../../shared/resources.ts'
import type { Names } from './names.ts'

/** The layers that functions ask for, each made once. */
export const makeLayers = (
  scope: Construct,
  names: Names,
  codeOf: (name: LayerName) => Code,
): ((name: LayerName) => ILayerVersion) => {
  const made = new Map<LayerName, ILayerVersion>()
  return (name) => {
    const layer =
      made.get(name) ??
      new LayerVersion(scope, `${name}-layer`, {
        layerVersionName: names.physical(name),
        description: `${name} for Lambda's platform`,
        code: codeOf(name),
        compatibleArchitectures: [Architecture.ARM_64],
        compatibleRuntimes: [Runtime.NODEJS_24_X],
      })
    made.set(name, layer)
    return layer
  }
}
