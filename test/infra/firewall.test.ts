import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { read, synthesize } from './synth.ts'

/** Rules of the managed groups and their WCU (AWS WAF Developer Guide, "Baseline rule groups", read 2026-11-22). */
const managedGroups: Readonly<Record<string, { wcu: number; label: string; rules: readonly string[] }>> = {
  AWSManagedRulesCommonRuleSet: {
    wcu: 700,
    label: 'core-rule-set',
    rules: [
      ...['NoUserAgent_HEADER', 'UserAgent_BadBots_HEADER'],
      ...['QUERYSTRING', 'Cookie_HEADER', 'BODY', 'URIPATH'].map((part) => `SizeRestrictions_${part}`),
      ...['BODY', 'COOKIE', 'URIPATH', 'QUERYARGUMENTS'].map((part) => `EC2MetaDataSSRF_${part}`),
      ...['QUERYARGUMENTS', 'URIPATH', 'BODY'].map((part) => `GenericLFI_${part}`),
      ...['URIPATH', 'QUERYARGUMENTS'].map((part) => `RestrictedExtensions_${part}`),
      ...['QUERYARGUMENTS', 'BODY', 'URIPATH'].map((part) => `GenericRFI_${part}`),
      ...['COOKIE', 'QUERYARGUMENTS', 'BODY', 'URIPATH'].map((part) => `CrossSiteScripting_${part}`),
    ],
  },
  AWSManagedRulesKnownBadInputsRuleSet: {
    wcu: 200,
    label: 'known-bad-inputs',
    rules: [
      ...['HEADER', 'BODY', 'URIPATH', 'QUERYSTRING'].map((part) => `JavaDeserializationRCE_${part}`),
      ...['Host_localhost_HEADER', 'PROPFIND_METHOD', 'ExploitablePaths_URIPATH', 'ReactJSRCE_BODY'],
      ...['HEADER', 'QUERYSTRING', 'URIPATH', 'BODY'].map((part) => `Log4JRCE_${part}`),
    ],
  },
}

const labelParts: Readonly<Record<string, string>> = {
  QUERYARGUMENTS: 'QueryArguments',
  QUERYSTRING: 'QueryString',
  BODY: 'Body',
  HEADER: 'Header',
  COOKIE: 'Cookie',
}
const labelOf = (group: string, rule: string) =>
  `awswaf:managed:aws:${managedGroups[group]?.label}:${rule.replace(/[A-Z]+$/, (part) => labelParts[part] ?? part)}`

const ManagedGroup = z.object({
  Name: z.string(),
  RuleActionOverrides: z.array(z.object({ Name: z.string(), ActionToUse: z.object({ Count: z.object({}) }) })),
})
/** The statements that this firewall uses; another one fails the test. */
const Statement = z.union([
  z.strictObject({ RateBasedStatement: z.object({ AggregateKeyType: z.literal('IP') }) }),
  z.strictObject({ ManagedRuleGroupStatement: ManagedGroup }),
  z.strictObject({ LabelMatchStatement: z.strictObject({ Scope: z.literal('LABEL'), Key: z.string() }) }),
  z.strictObject({
    RegexMatchStatement: z.strictObject({
      FieldToMatch: z.strictObject({ UriPath: z.object({}) }),
      RegexString: z.string().check(z.maxLength(512)),
      TextTransformations: z.tuple([z.strictObject({ Priority: z.literal(0), Type: z.literal('NONE') })]),
    }),
  }),
  z.strictObject({
    get NotStatement() {
      return z.strictObject({ Statement })
    },
  }),
  z.strictObject({
    get AndStatement() {
      return z.strictObject({ Statements: z.array(Statement) })
    },
  }),
  z.strictObject({
    get OrStatement() {
      return z.strictObject({ Statements: z.array(Statement) })
    },
  }),
])
type Statement = z.infer<typeof Statement>

const Firewall = z.object({
  DefaultAction: z.strictObject({ Allow: z.object({}) }),
  Rules: z.array(z.object({ Name: z.string(), Priority: z.number(), Statement })),
})

const rules = read(synthesize().app, 'AWS::WAFv2::WebACL', Firewall).flatMap(({ Rules }) => Rules)
const inOrder = [...rules].sort((a, b) => a.Priority - b.Priority)

/** A request, and the managed rules whose patterns it matches. */
interface Visit {
  path: string
  matches: readonly string[]
}

const isMet = (statement: Statement, { path }: Visit, labels: ReadonlySet<string>): boolean => {
  const meets = (inner: Statement) => isMet(inner, { path, matches: [] }, labels)
  if ('LabelMatchStatement' in statement) return labels.has(statement.LabelMatchStatement.Key)
  if ('RegexMatchStatement' in statement) return new RegExp(statement.RegexMatchStatement.RegexString).test(path)
  if ('NotStatement' in statement) return !meets(statement.NotStatement.Statement)
  if ('AndStatement' in statement) return statement.AndStatement.Statements.every(meets)
  if ('OrStatement' in statement) return statement.OrStatement.Statements.some(meets)
  return false
}

/** The rule that blocks a request, if one does: a counted rule of a managed group adds its label and goes on. */
const blockerOf = (visit: Visit): string | undefined => {
  const labels = new Set<string>()
  for (const { Name, Statement: statement } of inOrder) {
    if ('ManagedRuleGroupStatement' in statement) {
      const { Name: group, RuleActionOverrides } = statement.ManagedRuleGroupStatement
      const counted = new Set(RuleActionOverrides.map((override) => override.Name))
      for (const rule of visit.matches.filter((match) => managedGroups[group]?.rules.includes(match))) {
        if (!counted.has(rule)) return rule
        labels.add(labelOf(group, rule))
      }
    } else if (isMet(statement, visit, labels)) return Name
  }
  return undefined
}

const coreRules = managedGroups['AWSManagedRulesCommonRuleSet']?.rules ?? []
const queryRules = coreRules.filter((rule) => /_QUERY(?:STRING|ARGUMENTS)$/.test(rule))

// As the platforms send them; the codes are cut.
const callbacks = {
  youtube:
    '?state=s&code=4/0AX4XfWh&scope=https://www.googleapis.com/auth/youtube.upload%20https://www.googleapis.com/auth/youtube.readonly',
  tiktok: '?code=v0-abc*1!6123.u1&scopes=user.info.basic,user.info.profile,video.publish&state=s',
}

test.each(
  Object.entries(callbacks),
)('the return from a login at %s is not blocked for its query', (platform, query) => {
  expect(query.length).toBeGreaterThan(50)
  for (const stage of ['', '/live']) {
    const path = `${stage}/api/social-accounts/connect/${platform}/callback`
    // User-named servers have their own paths.
    expect(blockerOf({ path: `${path}/social.mastodon.test:8443`, matches: queryRules })).toBeUndefined()
    // The patterns of the managed rules are not public: every one of them that reads a query may match.
    expect(blockerOf({ path, matches: queryRules })).toBeUndefined()
  }
})

test.each([
  '/api/posts',
  '/api/social-accounts',
  '/api/social-accounts/connect/youtube',
  '/api/social-accounts/connect/youtube/callback/more/ways',
  '/api/social-accounts/connect/mastodon/callback/..',
  '/other/api/social-accounts/connect/youtube/callback',
  '/api/social-accounts/connect/../callback',
])('a query that matches a rule is blocked on %s', (path) => {
  expect(queryRules).toHaveLength(6)
  for (const rule of queryRules) expect(blockerOf({ path, matches: [rule] }), rule).toBe('query-strings')
  expect(blockerOf({ path, matches: [] })).toBeUndefined()
})

test('rules that do not concern queries and bodies also block the callback', () => {
  const path = '/api/social-accounts/connect/youtube/callback'
  for (const rule of ['GenericLFI_URIPATH', 'Log4JRCE_QUERYSTRING', 'UserAgent_BadBots_HEADER']) {
    expect(blockerOf({ path, matches: [rule] })).toBe(rule)
  }
})

test('every counted rule is one of its group: AWS rejects an override of an unknown rule', () => {
  for (const { Statement: statement } of rules) {
    if (!('ManagedRuleGroupStatement' in statement)) continue
    const { Name, RuleActionOverrides } = statement.ManagedRuleGroupStatement
    for (const override of RuleActionOverrides) expect(managedGroups[Name]?.rules).toContain(override.Name)
  }
})

/** The WCU of a statement (AWS WAF Developer Guide, "Rule statements"), with ten for the text transformation. */
const unitsOf = (statement: Statement): number => {
  if ('RateBasedStatement' in statement) return 2
  if ('ManagedRuleGroupStatement' in statement) {
    return managedGroups[statement.ManagedRuleGroupStatement.Name]?.wcu ?? Number.NaN
  }
  if ('LabelMatchStatement' in statement) return 1
  if ('RegexMatchStatement' in statement) return 3 + 10
  if ('NotStatement' in statement) return unitsOf(statement.NotStatement.Statement)
  const inner = 'AndStatement' in statement ? statement.AndStatement.Statements : statement.OrStatement.Statements
  return inner.reduce((sum, statement) => sum + unitsOf(statement), 0)
}

test('the firewall uses at most the 1,500 units that are included in its price', () => {
  const units = rules.reduce((sum, { Statement: statement }) => sum + unitsOf(statement), 0)
  expect(units).toBeGreaterThan(900)
  expect(units).toBeLessThanOrEqual(1_500)
})
