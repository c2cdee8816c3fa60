import * as z from 'zod/mini'
import type { Find } from './declared.ts'

const KeySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }))
const Projection = z.object({
  ProjectionType: z.enum(['ALL', 'INCLUDE', 'KEYS_ONLY']),
  NonKeyAttributes: z.optional(z.array(z.string())),
})
const TableShape = z.object({
  KeySchema,
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  GlobalSecondaryIndexes: z.optional(z.array(z.object({ IndexName: z.string(), KeySchema, Projection }))),
  TimeToLiveSpecification: z.optional(z.object({ AttributeName: z.string(), Enabled: z.boolean() })),
})

/** A table in the format of CreateTable. */
export interface TablePlan extends z.infer<typeof TableShape> {
  TableName: string
}

export const tablePlans = (find: Find): TablePlan[] =>
  find('AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table').map((declared) => ({
    TableName: declared.name,
    ...declared.read(TableShape),
  }))

const QueueShape = z.object({
  DelaySeconds: z.optional(z.number()),
  MessageRetentionPeriod: z.optional(z.number()),
  ReceiveMessageWaitTimeSeconds: z.optional(z.number()),
  VisibilityTimeout: z.optional(z.number()),
  RedrivePolicy: z.optional(z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.number() })),
})

/** A queue with its attributes, in the format of SetQueueAttributes. */
export interface QueuePlan {
  name: string
  attributes: Readonly<Record<string, string>>
}

/** Queues with the attributes that their users notice. */
export const queuePlans = (find: Find): QueuePlan[] =>
  find('AWS::SQS::Queue').map((declared) => ({
    name: declared.name,
    attributes: Object.fromEntries(
      Object.entries(declared.read(QueueShape)).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    ),
  }))

const BucketShape = z.object({
  CorsConfiguration: z.optional(
    z.object({
      CorsRules: z.array(
        z.object({
          AllowedOrigins: z.array(z.string()),
          AllowedMethods: z.array(z.string()),
          AllowedHeaders: z._default(z.array(z.string()), []),
          ExposedHeaders: z._default(z.array(z.string()), []),
          MaxAge: z.optional(z.number()),
        }),
      ),
    }),
  ),
})

/** Which pages may do what with a bucket. */
export interface CorsRule {
  origins: string[]
  methods: string[]
  headers: string[]
  exposed: string[]
  maxAgeSeconds?: number
}

/** A bucket and which pages may speak to it. */
export interface BucketPlan {
  name: string
  cors: CorsRule[]
}

export const bucketPlans = (find: Find): BucketPlan[] =>
  find('AWS::S3::Bucket').map((declared) => ({
    name: declared.name,
    cors: (declared.read(BucketShape).CorsConfiguration?.CorsRules ?? []).map((rule) => ({
      origins: rule.AllowedOrigins,
      methods: rule.AllowedMethods,
      headers: rule.AllowedHeaders,
      exposed: rule.ExposedHeaders,
      ...(rule.MaxAge === undefined ? {} : { maxAgeSeconds: rule.MaxAge }),
    })),
  }))
