import { CfnOutput } from 'aws-cdk-lib'
import { DomainName, EndpointType, type IRestApi, SecurityPolicy, type SpecRestApi } from 'aws-cdk-lib/aws-apigateway'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import type { Construct } from 'constructs'
import type { Configuration } from './configuration.ts'

/** The custom domain of `baseUrl`, without a stage in its paths; the DNS record is the operator's to make. */
export const makeDomain = (scope: Construct, api: SpecRestApi, { baseUrl, certificateArn }: Configuration): void => {
  if (certificateArn === undefined) return
  const domain = new DomainName(scope, 'domain', {
    domainName: new URL(baseUrl).hostname,
    certificate: Certificate.fromCertificateArn(scope, 'certificate', certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
    // The CDK's own types disagree under exactOptionalPropertyTypes.
    mapping: api as IRestApi,
  })
  new CfnOutput(scope, 'domain-target', { value: domain.domainNameAliasDomainName })
}
