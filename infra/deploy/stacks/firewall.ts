import { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import type { Construct } from 'constructs'
import { handler as callback } from '../../../functions/api/social-accounts/callback.ts'
import { handler as serverCallback } from '../../../functions/api/social-accounts/server-callback.ts'
import { errorText, rateLimited } from '../../openapi/gateway-answers.ts'
import type { Configuration } from './configuration.ts'
import { gatewayStage } from './names.ts'

/**
 * What the core rule set labels in query strings. YouTube and TikTok return scopes to the callback that look like remote
 * files and system files, and other platforms return long codes. The rules of the group count, and `queryRule` blocks the
 * labeled requests on every other path. Names and labels: AWS WAF Developer Guide, "Baseline rule groups".
 */
const queryLabels = [
  'SizeRestrictions_QueryString',
  'EC2MetaDataSSRF_QueryArguments',
  'GenericLFI_QueryArguments',
  'RestrictedExtensions_QueryArguments',
  'GenericRFI_QueryArguments',
  'CrossSiteScripting_QueryArguments',
]

const ruleOf = (label: string) => label.replace(/_\w+$/, (part) => part.toUpperCase())

// Rules that read bodies count and never block: posts are full of links, markup and code, and media lists pass 8 KB.
const countedRules = {
  AWSManagedRulesCommonRuleSet: [
    ...queryLabels.map(ruleOf),
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

/** The paths of the callbacks, with the stage of the API if it is called without the custom domain. */
const callbackPattern = `^(/${gatewayStage})?(${[callback, serverCallback]
  .map(({ contract }) => contract.path.replace('{platform}', '[a-z]+').replace('{server}', '\\w[\\w.:-]*'))
  .join('|')})$`

const queryRule: CfnWebACL.RuleProperty = {
  name: 'query-strings',
  // After the group that adds the labels.
  priority: 3,
  statement: {
    andStatement: {
      statements: [
        {
          orStatement: {
            statements: queryLabels.map((label) => ({
              labelMatchStatement: { scope: 'LABEL', key: `awswaf:managed:aws:core-rule-set:${label}` },
            })),
          },
        },
        {
          notStatement: {
            statement: {
              regexMatchStatement: {
                fieldToMatch: { uriPath: {} },
                regexString: callbackPattern,
                textTransformations: [{ priority: 0, type: 'NONE' }],
              },
            },
          },
        },
      ],
    },
  },
  action: { block: {} },
  visibilityConfig: seen('query-strings'),
}

/** The web ACL in front of the API: it stops floods and known attacks, and leaves bodies to our checks. */
export const makeFirewall = (scope: Construct, { names, baseUrl }: Configuration): CfnWebACL =>
  new CfnWebACL(scope, 'firewall', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    // AWS WAF has no variable for the id of a request.
    customResponseBodies: {
      'rate-limited': { contentType: 'APPLICATION_JSON', content: errorText(baseUrl, rateLimited) },
    },
    rules: [
      rateRule,
      ...Object.entries(countedRules).map(([name, counted], n) => managed(name, counted, n + 1)),
      queryRule,
    ],
    visibilityConfig: seen(names.physical('firewall')),
  })
