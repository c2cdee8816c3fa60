import { StringParameter } from 'aws-cdk-lib/aws-ssm'
import type { Construct } from 'constructs'
import type { Names, ParameterName } from './names.ts'

/** Stores a value for other stacks. */
export const storeParameter = (scope: Construct, names: Names, name: ParameterName, stringValue: string): void => {
  new StringParameter(scope, `${name}-parameter`, { parameterName: names.parameter(name), stringValue })
}

/** A value that another stack stores, as of the deployment of this stack. */
export const readParameter = (scope: Construct, names: Names, name: ParameterName): string =>
  StringParameter.valueForStringParameter(scope, names.parameter(name))
