import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'
import { rateLimited } from '../openapi/gateway-answers.ts'
import type { Names } from './names.ts'

// Rules that read bodies count and never block: posts are full of links, markup and code, and media lists pass 8 KB.
const countedRules = {
  AWSManagedRulesCommonRuleSet: [
    'SizeRestrictions_BODY',
    'CrossSiteScripting_BODY',
    'GenericLFI_BODY',
    'GenericRFI_BODY',
    'EC2MetaDataSSRF_BODY',
    // Scripts without a User-Agent are callers too.
    'NoUserAgent_HEADER',
  ],
  AWSManagedRulesKnownBadInputsRuleSet: ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'],
}

const seen = (metricName: string) => ({ cloudWatchMetricsEnabled: true, sampledRequestsEnabled: true, metricName })

const managed = (name: string, counted: readonly string[], priority: number): CfnWebACL.RuleProperty => ({
  name,
  priority,
  overrideAction: { none: {} },
  statement: {
    managedRuleGroupStatement: {
      vendorName: 'AWS',
      name,
      ruleActionOverrides: counted.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
    },
  },
  visibilityConfig: seen(name),
})

const rateRule: CfnWebACL.RuleProperty = {
  name: 'rate',
  priority: 0,
  statement: { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: 60, limit: 1200 } },
  action: {
    block: {
      customResponse: {
        responseCode: 429,
        customResponseBodyKey: 'rate-limited',
        responseHeaders: [
          { name: 'Retry-After', value: '60' },
          { name: 'Access-Control-Allow-Origin', value: '*' },
        ],
      },
    },
  },
  visibilityConfig: seen('rate'),
}

/** The web ACL before the API: floods and known attacks are stopped, bodies are left to our own checks. */
export const makeFirewall = (scope: Construct, names: Names): CfnWebACL =>
  new CfnWebACL(scope, 'firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    customResponseBodies: { 'rate-limited': { contentType: 'APPLICATION_JSON', content: rateLimited } },
    rules: [rateRule, ...Object.entries(countedRules).map(([name, counted], n) => managed(name, counted, n + 1))],
    visibilityConfig: seen(names.physical('firewall')),
  })
