import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Client } from 'social-publishing-client'
import { Dialog } from './dialog.tsx'
import { attempt, notice, say } from './service.ts'

type CallOptions = Parameters<Client['drafts']['create']>[1]

export interface Choice {
  id: string
  name: ComponentChildren
  hint?: ComponentChildren
}

/** A field of a form, whose value the browser has. */
export interface Field {
  name: string
  label: string
  hint?: string
  type?: 'text' | 'email' | 'url' | 'password' | 'number' | 'date' | 'time' | 'lines'
  /** With several choices, the IDs of the chosen ones, each followed by a line break. */
  value?: string
  choices?: readonly Choice[]
  /** Each choice has a box. */
  isMany?: boolean
  isOptional?: boolean
  /** For password managers only. */
  isHidden?: boolean
  autocomplete?: string
}

/** What was entered, by the names of the fields. */
export interface Values {
  text: (name: string) => string
  /** The chosen IDs, or the lines of a text. */
  list: (name: string) => string[]
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const valuesOf = (form: HTMLFormElement): Values => {
  const data = new FormData(form)
  return {
    text: (name) => String(data.get(name) ?? ''),
    list: (name) => data.getAll(name).flatMap((value) => linesOf(String(value))),
  }
}

const Boxes = ({ name, label, hint, value = '', choices = [] }: Field) => {
  const chosen = linesOf(value)
  return (
    <fieldset>
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      {choices.map((choice) => (
        <label key={choice.id} class="choice">
          <input type="checkbox" name={name} value={choice.id} defaultChecked={chosen.includes(choice.id)} />
          <span>
            {choice.name}
            {choice.hint !== undefined && <span class="hint">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

const Control = ({ name, type = 'text', value = '', choices, isOptional = false, autocomplete = 'off' }: Field) => {
  const shared = { name, required: !isOptional, autocomplete }
  if (choices !== undefined) {
    return (
      <select {...shared}>
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id} selected={choice.id === value}>
            {choice.name}
          </option>
        ))}
      </select>
    )
  }
  if (type === 'lines') return <textarea {...shared} rows={3} defaultValue={value} />
  // The types of Preact allow roles by the type of the input, which is one of several here.
  return <input {...shared} type={type as 'text'} defaultValue={value} />
}

const FormField = (field: Field) =>
  field.isHidden ? (
    <input hidden readOnly type="text" name={field.name} autocomplete={field.autocomplete} value={field.value} />
  ) : field.isMany ? (
    <Boxes {...field} />
  ) : (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the component inside
    <label class="field">
      {field.label}
      {field.hint !== undefined && <span class="hint">{field.hint}</span>}
      <Control {...field} />
    </label>
  )

interface Doing<T> {
  /** The options repeat the same idempotency key until the call succeeds. */
  call: (values: Values, options: CallOptions) => Promise<T>
  /** What the page says afterwards. */
  done?: string | ((result: T) => string) | undefined
  onDone?: (result: T) => void
}

const sayDone = <T,>(done: Doing<T>['done'], result: T): void => {
  // An earlier error is over.
  if (done === undefined) notice.value = undefined
  else say(typeof done === 'string' ? done : done(result))
}

interface FormProps<T> extends Doing<T> {
  fields?: readonly Field[]
  button: string
  children?: ComponentChildren
}

/** A form that sends its values with one call. What was typed stays until the call succeeds. */
export const Form = <T,>({ fields = [], button, call, done, onDone, children }: FormProps<T>) => {
  const [sent, setSent] = useState(0)
  const [isSending, setIsSending] = useState(false)
  const idempotencyKey = useRef<string>(crypto.randomUUID())
  const send = async (form: HTMLFormElement) => {
    setIsSending(true)
    const result = await attempt(() => call(valuesOf(form), { idempotencyKey: idempotencyKey.current }))
    setIsSending(false)
    if (result === undefined) return
    idempotencyKey.current = crypto.randomUUID()
    setSent(sent + 1)
    sayDone(done, result)
    onDone?.(result)
  }
  return (
    <form
      key={sent}
      class="change"
      onInput={() => {
        idempotencyKey.current = crypto.randomUUID()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        void send(event.currentTarget)
      }}
    >
      {children}
      {fields.map((field) => (
        <FormField key={field.name} {...field} />
      ))}
      <div class="actions">
        <button class="main" type="submit" disabled={isSending}>
          {button}
        </button>
      </div>
    </form>
  )
}

export interface Shown {
  label: string
  value: string
  /** The value is the address of a page. */
  isLink?: boolean
}

/** A text that the service shows once, such as a token. */
export const Secret = ({ label, value, isLink = false }: Shown) => {
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    return true
  }
  return (
    <>
      <p>{label}</p>
      <pre class="secret">{value}</pre>
      <div class="actions">
        {isLink && (
          <a class="button main" href={value} target="_blank" rel="noopener">
            Open the link
          </a>
        )}
        <button
          type="button"
          class={isLink ? '' : 'main'}
          onClick={async () => {
            if (await attempt(copy)) say('Copied.')
          }}
        >
          Copy
        </button>
      </div>
    </>
  )
}

interface ActionProps<T> extends Doing<T> {
  name: string
  /** What the button of the window says, if not the name. */
  button?: string
  /** What it changes, for screen readers and the title of the window. */
  of?: string
  /** What to know before it is done. With it, or with fields, the action opens a window and asks. */
  text?: ComponentChildren
  fields?: readonly Field[]
  /** What the window shows once afterwards. What follows is done when it is closed. */
  secretOf?: (result: T) => Shown
  isMain?: boolean
}

/** A button that does one thing, after a question where there is one. */
export const Action = <T,>(props: ActionProps<T>) => {
  const { name, button = name, of = '', text, fields = [], call, done, onDone, secretOf, isMain = false } = props
  const [isOpen, setIsOpen] = useState(false)
  const [result, setResult] = useState<T>()
  // A second press while the call runs is none.
  const isRunning = useRef(false)
  const asks = text !== undefined || fields.length > 0
  const end = (ended: T) => {
    setIsOpen(secretOf !== undefined)
    if (secretOf === undefined) onDone?.(ended)
    else setResult(ended)
  }
  const run = async () => {
    const noValues = { text: () => '', list: () => [] }
    if (isRunning.current) return
    isRunning.current = true
    const ended = await attempt(() => call(noValues, {}))
    isRunning.current = false
    if (ended === undefined) return
    sayDone(done, ended)
    end(ended)
  }
  const title = of === '' ? name : `${name} ${of}`
  return (
    <>
      <button
        type="button"
        class={isMain ? 'main' : 'plain'}
        aria-label={title}
        onClick={() => {
          if (asks) setIsOpen(true)
          else void run()
        }}
      >
        {name}
      </button>
      {isOpen && (
        <Dialog
          title={title}
          onClose={() => {
            setIsOpen(false)
            if (result !== undefined) onDone?.(result)
            setResult(undefined)
          }}
        >
          {result === undefined || secretOf === undefined ? (
            <Form {...{ fields, button, call, done }} onDone={end}>
              {text !== undefined && <p>{text}</p>}
            </Form>
          ) : (
            <Secret {...secretOf(result)} />
          )}
        </Dialog>
      )}
    </>
  )
}
