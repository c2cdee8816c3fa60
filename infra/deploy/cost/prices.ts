/** A price from AWS's list. */
export interface Price {
  usd: number
  /** How many units it is for. */
  per: number
  unit: string
  /** AWS's page for the price. */
  page: string
  /** Where the price was read: AWS itself, or a page that quotes it. */
  readAt: string
}

/**
 * Prices without free tiers. Most AWS pages load their prices by script, so they were read where they are quoted. Compare
 * them with the AWS pages before you rely on them.
 */
export const priceList = { region: 'us-east-1', read: '2026-11-22' } as const

const million = 1_000_000

export const prices = {
  writeUnit: {
    usd: 0.625,
    per: million,
    unit: 'write request unit',
    page: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    readAt: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
  },
  readUnit: {
    usd: 0.125,
    per: million,
    unit: 'read request unit',
    page: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    readAt: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing',
  },
  lambdaRequest: {
    usd: 0.2,
    per: million,
    unit: 'invocation',
    page: 'https://aws.amazon.com/lambda/pricing/',
    readAt: 'https://git.mcrn.ar/mariano/lambda_local_runner/src/branch/main/docs/lambdas-md/lambda-13-cost.md',
  },
  lambdaGigabyteSecond: {
    usd: 0.000_013_333_4,
    per: 1,
    unit: 'GB-second (arm64)',
    page: 'https://aws.amazon.com/lambda/pricing/',
    readAt: 'https://cloudchipr.com/blog/aws-lambda-pricing',
  },
  apiRequest: {
    usd: 3.5,
    per: million,
    unit: 'request (REST API)',
    page: 'https://aws.amazon.com/api-gateway/pricing/',
    readAt:
      'https://docs.aws.amazon.com/whitepapers/latest/best-practices-api-gateway-private-apis-integration/cost-optimization.html',
  },
  queueRequest: {
    usd: 0.4,
    per: million,
    unit: 'request',
    page: 'https://aws.amazon.com/sqs/pricing/',
    readAt: 'https://cloudburn.io/blog/amazon-sqs-pricing',
  },
  /** Added to each request about a message with a message group. */
  fairQueueRequest: {
    usd: 0.1,
    per: million,
    unit: 'request of a message group',
    page: 'https://aws.amazon.com/sqs/pricing/',
    readAt: 'https://cloudburn.io/blog/amazon-sqs-pricing',
  },
  /** The first ten terabytes of a month. */
  egressGigabyte: {
    usd: 0.09,
    per: 1,
    unit: 'GB to the internet',
    page: 'https://aws.amazon.com/s3/pricing/',
    readAt: 'https://oneuptime.com/blog/post/2026-02-12-calculate-reduce-s3-data-transfer-costs/view (2026-11-26)',
  },
  storageGigabyteMonth: {
    usd: 0.023,
    per: 1,
    unit: 'GB and month (S3 Standard)',
    page: 'https://aws.amazon.com/s3/pricing/',
    readAt: 'https://deepeshsoni.com/archives/256 (2026-11-26)',
  },
  scheduledInvocation: {
    usd: 1,
    per: million,
    unit: 'invocation',
    page: 'https://aws.amazon.com/eventbridge/pricing/',
    readAt: 'https://cloudburn.io/blog/amazon-eventbridge-pricing',
  },
  customEvent: {
    usd: 1,
    per: million,
    unit: 'event',
    page: 'https://aws.amazon.com/eventbridge/pricing/',
    readAt: 'https://cloudburn.io/blog/amazon-eventbridge-pricing',
  },
  keyMonth: {
    usd: 1,
    per: 1,
    unit: 'key and month',
    page: 'https://aws.amazon.com/kms/pricing/',
    readAt: 'https://cloudburn.io/blog/aws-kms-pricing',
  },
  keyRequest: {
    usd: 0.03,
    per: 10_000,
    unit: 'request',
    page: 'https://aws.amazon.com/kms/pricing/',
    readAt: 'https://www.wring.co/blog/aws-kms-pricing-guide',
  },
  secretMonth: {
    usd: 0.4,
    per: 1,
    unit: 'secret and month',
    page: 'https://aws.amazon.com/secrets-manager/pricing/',
    readAt: 'https://hivebook.wiki/wiki/aws-secrets-manager-rotated-secrets-dynamic-db-credentials-kms',
  },
  secretRequest: {
    usd: 0.05,
    per: 10_000,
    unit: 'request',
    page: 'https://aws.amazon.com/secrets-manager/pricing/',
    readAt: 'https://hivebook.wiki/wiki/aws-secrets-manager-rotated-secrets-dynamic-db-credentials-kms',
  },
  alarmMetricMonth: {
    usd: 0.1,
    per: 1,
    unit: 'alarm metric and month',
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    readAt: 'https://c3x.dev/resources/aws/aws_cloudwatch_metric_alarm',
  },
  compositeAlarmMonth: {
    usd: 0.5,
    per: 1,
    unit: 'composite alarm and month',
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    readAt: 'https://c3x.dev/resources/aws/aws_cloudwatch_metric_alarm',
  },
  /** Of each combination of dimensions, for the hours in which it has a value. */
  customMetricMonth: {
    usd: 0.3,
    per: 1,
    unit: 'custom metric and month',
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    readAt: 'https://c3x.dev/blog/aws-cloudwatch-metrics-cost/',
  },
  logGigabyte: {
    usd: 0.5,
    per: 1,
    unit: 'GB ingested',
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    readAt: 'https://cloudcostcutter.cloud/article/aws-cloudwatch-cost-optimization-logs-metrics-alarms-2026',
  },
  firewallMonth: {
    usd: 5,
    per: 1,
    unit: 'web ACL and month',
    page: 'https://aws.amazon.com/waf/pricing/',
    readAt: 'https://c3x.dev/blog/aws-waf-cost-explained/',
  },
  firewallRuleMonth: {
    usd: 1,
    per: 1,
    unit: 'rule and month',
    page: 'https://aws.amazon.com/waf/pricing/',
    readAt: 'https://c3x.dev/blog/aws-waf-cost-explained/',
  },
  firewallRequest: {
    usd: 0.6,
    per: million,
    unit: 'request',
    page: 'https://aws.amazon.com/waf/pricing/',
    readAt: 'https://c3x.dev/blog/aws-waf-cost-explained/',
  },
} as const satisfies Record<string, Price>

export type PriceName = keyof typeof prices

/** Units of one price, and their purpose. */
export interface Line {
  service: string
  what: string
  units: number
  price: PriceName
}

export const usdOf = ({ units, price }: Pick<Line, 'units' | 'price'>): number =>
  (units * prices[price].usd) / prices[price].per

export const sumOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + usdOf(line), 0)
