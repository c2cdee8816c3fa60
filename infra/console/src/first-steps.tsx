import { Mark } from './parts.tsx'
import { to } from './route.ts'
import { accounts, api, changes, hasPosts } from './store.ts'
import { useRead } from './use-read.ts'

const Steps = () => {
  const [drafts] = useRead(() => api().drafts.list({ limit: 1 }), [changes.value])
  const [draft] = drafts?.items ?? []
  const steps = [
    { name: 'Connect an account', view: 'accounts', isDone: accounts.value.length > 0 },
    { name: 'Write a post', view: 'compose', isDone: draft !== undefined },
    { name: 'Schedule it', view: draft === undefined ? 'compose' : 'drafts', isDone: false },
  ]
  return (
    <section class="card" aria-labelledby="first-steps">
      <h2 id="first-steps">Your first post</h2>
      <ol>
        {steps.map(({ name, view, isDone }) => (
          <li key={name}>
            <a href={to(view)}>{name}</a>
            {isDone && (
              <>
                {' '}
                <Mark status="published" />
                <span class="unseen">Done</span>
              </>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The way to the first post of a workspace, until it has one. */
export const FirstSteps = () => (hasPosts.value === false ? <Steps /> : null)
