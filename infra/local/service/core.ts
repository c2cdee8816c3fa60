import { join } from 'node:path'
import { jsonLog, makeContext } from '../../../shared/context.ts'
import { localNames } from '../../deploy/stacks/names.ts'
import { inProcess } from '../engines/in-process.ts'
import { openFront } from '../gateway/front.ts'
import { requestLine } from '../gateway/request-summary.ts'
import { serveGateway } from '../gateway.ts'
import { readAccountPolicies } from '../iam/account-policies.ts'
import { makeAuthority } from '../iam/authority.ts'
import { logAccesses } from '../iam/log-stream.ts'
import { fileListeners } from '../media-host.ts'
import { readStacks } from '../template/stack.ts'
import { drawBlueprint } from '../template.ts'
import { admitFunctions } from './admit-functions.ts'
import { type Closing, makeClosing } from './closing.ts'
import { administratorOf, removedVariables, sdkVariables, startEngines } from './engines.ts'
import { environmentOf, mergeEnvironments, setProcessEnvironment } from './environment.ts'
import { filesBesideBundles, makeFiles } from './files.ts'
import { loadBundles, loadSource, makeFunctions, shortName } from './functions.ts'
import { startHosts } from './hosts.ts'
import { observeAs } from './invocation.ts'
import { invokeForApi } from './invoke-as.ts'
import { setInMotion } from './motion.ts'
import type { Core, CoreOptions } from './options.ts'
import type { Outside, StartOutside } from './outside.ts'
import { provision } from './provision.ts'

const root = join(import.meta.dirname, '../../..')

/** Options that override the templates. */
const wishesOf = ({ rateLimits, quotas }: CoreOptions) => ({
  ...(rateLimits === undefined ? {} : { RATE_LIMITS: JSON.stringify(rateLimits) }),
  ...(quotas === undefined ? {} : { QUOTAS: JSON.stringify(quotas) }),
})

const boot = async <O extends Outside>(
  options: CoreOptions,
  startOutside: StartOutside<O>,
  closing: Closing,
): Promise<{ core: Core; outside: O }> => {
  const { clock, folder, ports = {}, front, progress = () => {}, log = jsonLog() } = options
  const observe = options.observe ?? ((_effect, run) => run())
  const areTogether = options.load === 'together'
  const bundles = areTogether || options.load === 'bundle' ? (options.bundles ?? join(root, 'dist')) : undefined
  const functions = makeFunctions()
  // Bundles run in threads of their own, from which the engines are reached over HTTP.
  const transport = bundles ? {} : { transport: inProcess(options.table && administratorOf(options.table)) }

  const stacks = readStacks(options.assembly)
  const authority = makeAuthority(readAccountPolicies(stacks), {
    administrator: administratorOf(options.table, options.keySecret),
    keySecret: options.keySecret,
    ...(options.seeDecision ? { watch: options.seeDecision } : {}),
  })
  const engines = await startEngines({ ...options, invoke: functions.invoke, authority }, closing)
  const { queues, schedules, buckets, keys, secrets, mail, bus } = engines
  closing.add(setProcessEnvironment({ ...removedVariables, ...sdkVariables(engines) }))
  progress('the engines run')

  const blueprint = drawBlueprint(stacks)
  admitFunctions(authority, blueprint)
  const deployed = mergeEnvironments(blueprint.functions.map(({ environment }) => environment))
  const unobserved = makeContext(deployed, { clock, log, ...transport })
  await provision(blueprint, engines)
  progress(`${blueprint.functions.length} functions and ${blueprint.queues.length} queues created from the templates`)

  const report = (functionName: string, error: unknown) =>
    log.error('invocation failed', { functionName, reason: error instanceof Error ? error.stack : String(error) })
  const mediaBucket = unobserved.env('MEDIA_BUCKET')
  const hosts = await startHosts({ ports, front, buckets, mediaBucket }, closing)
  const outside = await startOutside(
    { clock, folder, engines, authority, hosts, deployed, context: unobserved, report },
    closing,
  )
  closing.add(setProcessEnvironment(outside.sdk))
  const shift = options.polling === 'real' ? options.shift : undefined
  const local = {
    ...wishesOf(options),
    BASE_URL: hosts.api.url,
    MEDIA_URL: hosts.media.url,
    BUCKET_URL: hosts.media.url,
    QUEUE_URL_PREFIX: queues.queueUrl(localNames.physical('')),
    FILES_FOLDER: bundles ? filesBesideBundles(bundles) : (options.files ?? (await makeFiles(closing))),
    ...outside.variables,
  }
  const environments = blueprint.functions.map((plan) => environmentOf(plan, local, outside.aiOf))
  const everything = mergeEnvironments(environments)
  if (bundles) closing.add(setProcessEnvironment(everything))
  const fromSource = async () => (typeof options.load === 'function' ? options.load : loadSource())
  const load = bundles
    ? loadBundles({ folder: bundles, areTogether, seeLine: options.seeLine }, blueprint, closing, shift)
    : await fromSource()
  for (const plan of blueprint.functions) {
    // An external table engine knows one caller.
    const credentials = bundles && options.table ? administratorOf(options.table) : authority.credentialsOf(plan.name)
    functions.add(load, plan, {
      context: { clock, log, observe: observeAs(shortName(plan.name), observe), credentials, ...transport },
      environment: environmentOf(plan, local, outside.aiOf),
      sdk: { ...sdkVariables(engines, credentials), ...outside.sdk },
      begin: () => void authority.refusal(authority.sessionOf(plan.name), logAccesses(plan.name, plan.logGroup)),
    })
  }

  const invoke = invokeForApi(authority, functions.invoke)
  serveGateway(hosts.api, {
    api: blueprint.api,
    baseUrl: local.BASE_URL,
    ...(front && {
      front: openFront(front, local.BASE_URL),
      fileListener: fileListeners({ buckets, bucket: mediaBucket, origin: local.BUCKET_URL }),
    }),
    clock,
    report,
    ...(outside.pages ? { localPages: outside.pages } : {}),
    ...(options.logRequests ? { seeRequest: (request) => log.info(requestLine, { ...request }) } : {}),
    async invoke(functionArn, roleArn, event) {
      const answer = await invoke(functionArn, roleArn, event)
      options.seeAnswer?.(event, answer)
      await outside.seeAnswer?.(event, answer)
      return answer
    },
  })
  const time = setInMotion({ pace: options, engines, authority, blueprint, invoke: functions.invoke, report }, closing)
  progress(`the API answers at ${hosts.api.url}`)
  const core = {
    ...time,
    authority,
    queues,
    schedules,
    buckets,
    keys,
    secrets,
    mail,
    bus,
    baseUrl: local.BASE_URL,
    mediaUrl: local.MEDIA_URL,
    context: makeContext(everything, { clock, log, observe: observeAs('operator', observe), ...transport }),
    contextOf: (functionName: string) => functions.of(functionName).context,
    close: () => closing.close(),
  }
  return { core, outside }
}

let running = false

/**
 * Starts the whole service on this machine, wired as the synthesized templates define it: what runs locally is what deploys.
 */
export const startCore = async <O extends Outside>(
  options: CoreOptions,
  startOutside: StartOutside<O>,
): Promise<{ core: Core; outside: O }> => {
  if (running) throw new Error('one service at a time: its clients find their engines by variables of the process')
  running = true
  const closing = makeClosing()
  closing.add(() => {
    running = false
  })
  try {
    return await boot(options, startOutside, closing)
  } catch (error) {
    await closing.close()
    throw error
  }
}
