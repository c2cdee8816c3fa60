import { type ChildProcess, fork } from 'node:child_process'
import { dirname, extname, join } from 'node:path'
import { type Bounds, bounds } from './bounds.ts'
import { ImageError, type ImageJob, type ImageResponse, type MadeImage } from './image-job.ts'

/** In the same folder as this file in the source, and as the bundle in a deployment (infra/deploy/bundle.ts). */
const here = import.meta.filename
const program = join(dirname(here), `image-program${extname(here)}`)

/** None of our own environment: a process that decodes untrusted files gets no credentials. */
const environment = {
  // Where Lambda mounts layers.
  NODE_PATH: '/opt/nodejs/node_modules',
  // With few arenas, memory is returned sooner (mallopt(3)).
  MALLOC_ARENA_MAX: '2',
}

const start = (within: Bounds): ChildProcess =>
  fork(program, [JSON.stringify(within)], {
    execArgv: [],
    env: environment,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })

/** The end of one job: a response, or a signal that killed the process. */
type End = ImageResponse | { signal: NodeJS.Signals }

/** Runs one job. Throws if the process does not start, or fails without a response. */
const ask = (child: ChildProcess, job: ImageJob, wallSeconds: number): Promise<End> => {
  const { promise, resolve, reject } = Promise.withResolvers<End>()
  const fail = (reason: unknown) => reject(new Error('the image process failed', { cause: reason }))
  const onExit = (code: number | null, signal: NodeJS.Signals | null) =>
    signal === null ? fail(`exit code ${code}`) : resolve({ signal })
  const onMessage = (message: unknown) => resolve(message as ImageResponse)
  child.on('message', onMessage).on('exit', onExit).on('error', fail)
  const timer = setTimeout(() => resolve({ failure: { why: 'late' } }), wallSeconds * 1000)
  // A failed send is followed by the exit that caused it.
  child.send(job, () => undefined)
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('message', onMessage).off('exit', onExit).off('error', fail)
  })
}

/** Whether the process can run another job: it returned why no image was created, or it created one and uses little memory. */
const isFit = (end: End): boolean => {
  if ('made' in end) return !end.spent
  return 'failure' in end && (end.failure.why === 'damaged' || end.failure.why === 'pixels')
}

export interface ImageProcess {
  /** Creates one image, after the earlier jobs. Throws `ImageError`, or an error that another try may avoid. */
  make(job: ImageJob): Promise<MadeImage>
}

/**
 * A separate process for native decoders: started for the first job, reused for the next ones, killed when it exceeds a
 * limit.
 */
export const makeImageProcess = (over: Partial<Bounds> = {}): ImageProcess => {
  const within = { ...bounds, ...over }
  let child: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()

  const drop = (dropped: ChildProcess) => {
    dropped.kill('SIGKILL')
    if (child === dropped) child = undefined
  }
  const open = () => {
    const opened = start(within)
    // Without a listener, an error would end this process.
    opened.on('error', () => drop(opened)).on('exit', () => drop(opened))
    child = opened
    return opened
  }
  const once = async (job: ImageJob): Promise<End> => {
    const used = child ?? open()
    used.ref()
    used.channel?.ref()
    let fit = false
    try {
      const end = await ask(used, job, within.wallSeconds)
      fit = isFit(end)
      return end
    } finally {
      if (!fit) drop(used)
      // While idle, it does not keep this process alive.
      used.channel?.unref()
      used.unref()
    }
  }
  const make = async (job: ImageJob): Promise<MadeImage> => {
    const first = await once(job)
    const end = 'signal' in first ? await once(job) : first
    if ('made' in end) return end.made
    throw new ImageError('failure' in end ? end.failure : { why: 'crashed' })
  }
  return {
    make(job) {
      const mine = last.then(() => make(job))
      last = mine.catch(() => undefined)
      return mine
    },
  }
}

/** One for each kind of work, so that a post never waits behind previews. */
const processes = { preview: makeImageProcess(), convert: makeImageProcess() }

export const makeImage = (job: ImageJob): Promise<MadeImage> => processes[job.kind].make(job)
