import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { App, Stack } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { EventBus, Rule } from 'aws-cdk-lib/aws-events'
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { expect, test } from 'vitest'

const section = readFileSync(join(import.meta.dirname, '../../infra/openapi/guides/event-bus.md'), 'utf8')
const blockOf = (language: string) =>
  new RegExp(`^\`\`\`${language}(?: no-run)?\n(.*?)^\`\`\`$`, 'ms').exec(section)?.[1] ?? ''

test('the CDK rule in the guide produces the JSON pattern in the guide', () => {
  const code = blockOf('ts').replaceAll(/^import .*$/gm, '')
  const stack = new Stack(new App({ analyticsReporting: false }), 'own')
  // The lines as a reader pastes them into the constructor of a stack.
  new Function('EventBus', 'Rule', 'SqsQueue', 'Queue', code).call(stack, EventBus, Rule, SqsQueue, Queue)
  const template = Template.fromStack(stack)
  template.hasResourceProperties('AWS::Events::Rule', {
    EventBusName: 'social-prod-events',
    EventPattern: JSON.parse(blockOf('json')),
    State: 'ENABLED',
    Targets: [Match.objectLike({ Arn: Match.anyValue() })],
  })
  expect(Object.keys(template.findResources('AWS::SQS::QueuePolicy'))).toHaveLength(1)
})
