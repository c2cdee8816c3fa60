import { join } from 'node:path'
import { jsonLog, makeContext } from '../../shared/context.ts'
import { header as headerIn } from '../../shared/http/request-context.ts'
import { localNames } from '../deploy/stacks/names.ts'
import { inProcess } from './engines/in-process.ts'
import { requestLine } from './gateway/request-summary.ts'
import { serveGateway } from './gateway.ts'
import { readAccountPolicies } from './iam/account-policies.ts'
import { makeAuthority } from './iam/authority.ts'
import { logAccesses } from './iam/log-stream.ts'
import { admitFunctions } from './service/admit-functions.ts'
import { type Closing, makeClosing } from './service/closing.ts'
import { changesSecrets, watchEndpointSecrets } from './service/endpoint-secrets.ts'
import { administratorOf, removedVariables, sdkVariables, startEngines } from './service/engines.ts'
import {
  environmentOf,
  localAi,
  localVariables,
  mergeEnvironments,
  setProcessEnvironment,
} from './service/environment.ts'
import { filesBesideBundles, makeFiles } from './service/files.ts'
import { loadBundles, loadSource, makeFunctions, shortName } from './service/functions.ts'
import { observeAs } from './service/invocation.ts'
import { invokeForApi } from './service/invoke-as.ts'
import { setInMotion } from './service/motion.ts'
import type { Service, ServiceOptions } from './service/options.ts'
import { provision } from './service/provision.ts'
import { seedSecrets } from './service/seed-secrets.ts'
import { addressesOf, startSurroundings } from './service/surroundings.ts'
import { readStacks } from './template/stack.ts'
import { drawBlueprint } from './template.ts'

export type { Service, ServiceOptions } from './service/options.ts'
export { systemClock } from './service/system-clock.ts'

const root = join(import.meta.dirname, '../..')

/** Whether a function behind the API rejected the request: then nothing changed. */
const isRefusal = (answer: unknown) =>
  typeof answer === 'object' && answer !== null && 'statusCode' in answer && Number(answer.statusCode) >= 400

const boot = async (options: ServiceOptions, closing: Closing): Promise<Service> => {
  const { clock, folder, ports = {}, progress = () => {}, log = jsonLog() } = options
  const observe = options.observe ?? ((_effect, run) => run())
  const bundles = options.load === 'bundle' ? (options.bundles ?? join(root, 'dist')) : undefined
  const functions = makeFunctions()
  // Bundles run in threads of their own, from which the engines are reached over HTTP.
  const transport = bundles ? {} : { transport: inProcess(options.table && administratorOf(options.table)) }

  const stacks = readStacks(options.assembly)
  const authority = makeAuthority(readAccountPolicies(stacks), {
    administrator: administratorOf(options.table),
    ...(options.seeDecision ? { watch: options.seeDecision } : {}),
  })
  const engines = await startEngines({ ...options, invoke: functions.invoke, authority }, closing)
  const { queues, schedules, buckets, keys, secrets, mail, bus, ai, clients } = engines
  closing.add(setProcessEnvironment({ ...removedVariables, ...sdkVariables(engines) }))
  progress('the engines run')

  const blueprint = drawBlueprint(stacks)
  admitFunctions(authority, blueprint)
  const deployed = mergeEnvironments(blueprint.functions.map(({ environment }) => environment))
  const unobserved = makeContext(deployed, { clock, log, ...transport })
  await provision(blueprint, engines)
  const seeded = await seedSecrets(clients.secretsManager, deployed)
  const endpointSecrets = watchEndpointSecrets(clients.dynamodb, unobserved, folder)
  await endpointSecrets.readAll()
  progress(`${blueprint.functions.length} functions and ${blueprint.queues.length} queues created from the templates`)

  const mediaBucket = unobserved.env('MEDIA_BUCKET')
  const stripeSends = options.billing ? options.polling === 'real' : undefined
  const { of: secretOf } = endpointSecrets
  const shift = options.polling === 'real' ? options.shift : undefined
  const apisEnd = options.platformApiEnds !== undefined
  const own = { clock, shift, folder, ports, mediaBucket, secretOf, stripeSends, apisEnd }
  const around = await startSurroundings({ ...own, mail, bus, buckets, limitsCalls: options.platformLimits }, closing)
  const files = bundles ? filesBesideBundles(bundles) : (options.files ?? (await makeFiles(closing)))
  const addresses = {
    ...addressesOf(around),
    openAi: ai.openAiUrl,
    queuePrefix: queues.queueUrl(localNames.physical('')),
    files,
  }
  const local = localVariables(addresses, { ...options, ...seeded })
  const everything = mergeEnvironments(
    blueprint.functions.map((plan) => environmentOf(plan, local, localAi(addresses, options.ai))),
  )
  if (bundles) closing.add(setProcessEnvironment(everything))
  const fromSource = typeof options.load === 'function' ? options.load : await loadSource()
  const load = bundles ? loadBundles(bundles, blueprint, closing, shift) : fromSource
  for (const plan of blueprint.functions) {
    // An external table engine knows one caller.
    const credentials = bundles && options.table ? administratorOf(options.table) : authority.credentialsOf(plan.name)
    functions.add(load, plan, {
      context: { clock, log, observe: observeAs(shortName(plan.name), observe), credentials, ...transport },
      environment: environmentOf(plan, local, localAi(addresses, options.ai)),
      sdk: sdkVariables(engines, credentials),
      begin: () => void authority.refusal(authority.sessionOf(plan.name), logAccesses(plan.name, plan.logGroup)),
    })
  }

  const report = (functionName: string, error: unknown) =>
    log.error('invocation failed', { functionName, reason: error instanceof Error ? error.stack : String(error) })
  const invoke = invokeForApi(authority, functions.invoke)
  serveGateway(around.api, {
    api: blueprint.api,
    clock,
    report,
    localPages: around.pages,
    ...(options.logRequests ? { seeRequest: (request) => log.info(requestLine, { ...request }) } : {}),
    async invoke(functionArn, roleArn, event) {
      const answer = await invoke(functionArn, roleArn, event)
      options.seeAnswer?.(event, answer)
      const workspaceId = headerIn(event, 'X-Workspace-Id')
      const changes = changesSecrets(event.httpMethod, event.resource) && !isRefusal(answer)
      // The caller's request has completed, whether or not the inbox can read the secret.
      if (changes && workspaceId) await endpointSecrets.refresh(workspaceId).catch((error) => report('inbox', error))
      return answer
    },
  })
  const time = setInMotion({ pace: options, engines, authority, blueprint, invoke: functions.invoke, report }, closing)
  progress(`the API answers at ${around.api.url}`)
  return {
    ...time,
    authority,
    queues,
    schedules,
    buckets,
    keys,
    secrets,
    mail,
    bus,
    ai,
    platforms: around.platforms,
    push: around.push,
    stripe: around.stripe,
    inbox: around.inbox,
    baseUrl: around.api.url,
    mediaUrl: around.media.url,
    inboxUrl: around.inbox.url,
    platformsUrl: around.platforms.url,
    pushUrl: around.push.url,
    context: makeContext(everything, { clock, log, observe: observeAs('operator', observe), ...transport }),
    contextOf: (functionName) => functions.of(functionName).context,
    close: () => closing.close(),
  }
}

let running = false

/**
 * Starts the whole service on this machine, wired as the synthesized templates define it: what runs locally is what deploys.
 */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  if (running) throw new Error('one service at a time: its clients find their engines by variables of the process')
  running = true
  const closing = makeClosing()
  closing.add(() => {
    running = false
  })
  try {
    return await boot(options, closing)
  } catch (error) {
    await closing.close()
    throw error
  }
}
